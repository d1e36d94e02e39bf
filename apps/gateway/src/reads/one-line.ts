import { firstCharacters } from '@stoa/contracts';

const descriptionLength = 160;

/** The beginning of a text on one line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // By grapheme clusters, so that no emoji is split.
  const start = firstCharacters(line, descriptionLength - 1);
  return start.length < line.length ? `${start.trimEnd()}…` : line;
}
