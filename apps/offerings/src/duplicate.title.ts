import { limits } from '@stoa/contracts';

const suffix = ' (copy)';
const people = new Intl.Segmenter();

/** The title that a duplicate begins with, as long as a title may be. */
export function duplicateTitle(title: string): string {
  const letters = [...people.segment(title)].map(({ segment }) => segment);
  return (
    letters
      .slice(0, limits.titleLength - suffix.length)
      .join('')
      .trimEnd() + suffix
  );
}
