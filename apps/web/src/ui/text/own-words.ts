import { languageOf } from '@stoa/contracts/text-language';

/**
 * The attributes of an element with a creator's text, whose language may differ from the page's English: the
 * direction, and the language if it is certain (WCAG 3.1.2). `others`: more text of the same creator, as
 * evidence for the language.
 */
export const ownWords = (text: string, ...others: readonly string[]) =>
  ({ dir: 'auto', lang: languageOf(text, ...others) }) as const;
