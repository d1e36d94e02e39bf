/**
 * Replaces the generated part of a document by `text`.
 *
 * @throws Error if the document lacks the markers of that part.
 */
export function replaceBetweenMarkers(
  document: string,
  [begin, end]: readonly [string, string],
  text: string,
): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document lacks "${begin}" … "${end}".`);
  return `${document.slice(0, from)}${begin}${text}${document.slice(to)}`;
}
