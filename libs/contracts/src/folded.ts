/**
 * Text as searches compare it, on the server and in the browser: without case and accents, every apostrophe as the plain
 * one, white space as single blanks. What is searched and the query both go through here, so that they always agree.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u2018\u2019\u02bc\u2032`]/g, "'")
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
