import { plainText } from '@stoa/contracts/plain-text';
import { countCharacters } from '@stoa/contracts/text';

/** Counting takes a moment for every 100,000 characters; what is that far over needs no exact figure. */
export const exactUpTo = 20_000;

/** How much of its limit a text takes, as a person counts and in the form that is stored. */
export function CharacterCount({ text, max }: { text: string; max: number }) {
  const exact = text.length <= exactUpTo;
  const count = exact ? countCharacters(plainText(text)) : max + 1;
  return (
    <span className={count > max ? 'text-danger font-semibold' : undefined}>
      {exact ? count : `More than ${max}`} / {max} characters
    </span>
  );
}
