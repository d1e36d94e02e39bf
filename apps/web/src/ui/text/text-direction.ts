const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Longer than anything before the first letter of a text. */
const scannedLength = 1000;

/**
 * The direction of a text by its first letter, as `dir="auto"` determines it; undefined without a letter. In
 * a text area `auto` scans the whole text at each change, which takes seconds for a pasted book.
 */
export function textDirection(text: string): 'ltr' | 'rtl' | undefined {
  const [letter] = /\p{L}/u.exec(text.slice(0, scannedLength)) ?? [];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
