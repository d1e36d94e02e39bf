/** One of several edits of the same thing; its place among them is the number that it writes there. */
export interface Edit {
  readonly began: number;
  /** Infinite while nobody has said that it was done. */
  ended: number;
  /** Whether it was told that it had been made from another version. */
  refused?: boolean;
}

export const textOfEdit = (number: number): string => `Edit ${number}`;

/** What is wrong with the text that is there after these edits; `initial` stood there before them. */
export function violationsOfEdits(
  what: string,
  edits: readonly Edit[],
  text: string,
  initial = '',
): string[] {
  if (edits.length === 0) return [];
  const last = text === initial ? { ended: 0 } : edits[Number(/^Edit (\d+)$/.exec(text)?.[1])];
  if (!last) return [`${what} says what nobody wrote: ${text}`];
  if ('refused' in last && last.refused) return [`${what} has an edit that was refused: ${text}`];
  // Side by side either may be the last; one that began when this had been acknowledged has to be there.
  const lost = edits.filter(({ began, ended }) => ended < Infinity && began > last.ended).length;
  return lost > 0 ? [`${lost} edits of ${what} were acknowledged after the one that is there`] : [];
}
