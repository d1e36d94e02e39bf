import { languageOf } from '@stoa/contracts/text-language';

interface PersonalWordsProps {
  text: string;
  /** More text of the same person, as evidence for the language. */
  also?: string | undefined;
}

/** User text within a sentence of the page, marked with its language. */
export function PersonalWords({ text, also = '' }: PersonalWordsProps) {
  return (
    <span dir="auto" lang={languageOf(text, also)}>
      {text}
    </span>
  );
}

/** The name of a creator's file. Its extension is ignored when the language is detected. */
export function FileName({ name }: { name: string }) {
  return (
    <span dir="auto" lang={languageOf(name.replace(/\.\w+$/, ''))}>
      {name}
    </span>
  );
}
