import { languageOf } from '@stoa/contracts/text-language';

/**
 * The attributes of an element with a creator's words, which are in their own language on a page in English: the direction,
 * and the language as far as it is certain (WCAG 3.1.2). `others` are more words of the same creator.
 */
export const ownWords = (text: string, ...others: readonly string[]) =>
  ({ dir: 'auto', lang: languageOf(text, ...others) }) as const;
