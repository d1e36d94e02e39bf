/**
 * A document with `text` in its generated part.
 *
 * @throws Error when the document has lost the marks of that part.
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
