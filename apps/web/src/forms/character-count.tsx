import { plainText } from '@stoa/contracts/plain-text';
import { countCharacters } from '@stoa/contracts/text';

/** Counting takes a moment per 100,000 characters. Texts far above the limit need no exact count. */
export const exactUpTo = 20_000;

/** A text's length and its limit, in characters as people count them, after the normalization for storage. */
export function CharacterCount({ text, max }: { text: string; max: number }) {
  const exact = text.length <= exactUpTo;
  const count = exact ? countCharacters(plainText(text)) : max + 1;
  return (
    <span className={count > max ? 'text-danger font-semibold' : undefined}>
      {exact ? count : `More than ${max}`} / {max} characters
    </span>
  );
}
