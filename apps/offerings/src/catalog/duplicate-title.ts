import { firstCharacters, limits } from '@stoa/contracts';

const suffix = ' (copy)';

/** The initial title of a duplicate, cut to the longest allowed title. */
export function duplicateTitle(title: string): string {
  return firstCharacters(title, limits.titleLength - suffix.length).trimEnd() + suffix;
}
