import { firstCharacters } from '@stoa/contracts';

const descriptionLength = 160;

/** Shortens a text to one line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Counts visible characters (grapheme clusters), so that it does not cut an emoji in two.
  const start = firstCharacters(line, descriptionLength - 1);
  return start.length < line.length ? `${start.trimEnd()}…` : line;
}
