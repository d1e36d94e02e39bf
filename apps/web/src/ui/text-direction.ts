const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Longer than anything that stands before the first letter of a text. */
const looked = 1000;

/**
 * Which way a text runs, by its first letter, as `dir="auto"` finds it; undefined without one. In a text area `auto` looks
 * through the whole text at each change: seconds for a pasted book.
 */
export function textDirection(text: string): 'ltr' | 'rtl' | undefined {
  const [letter] = /\p{L}/u.exec(text.slice(0, looked)) ?? [];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
