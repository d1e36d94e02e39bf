import { firstCharacters, limits } from '@stoa/contracts';

const suffix = ' (copy)';

/** The title that a duplicate begins with, as long as a title may be. */
export function duplicateTitle(title: string): string {
  return firstCharacters(title, limits.titleLength - suffix.length).trimEnd() + suffix;
}
