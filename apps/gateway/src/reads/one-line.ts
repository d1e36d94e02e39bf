import { firstCharacters } from '@stoa/contracts';

const descriptionLength = 160;

/** The beginning of a text as one line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // By characters as a person counts them: half an emoji is no text.
  const start = firstCharacters(line, descriptionLength - 1);
  return start.length < line.length ? `${start.trimEnd()}…` : line;
}
