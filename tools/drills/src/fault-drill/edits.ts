/** One of several edits of the same text. It writes its index among them. */
export interface Edit {
  readonly began: number;
  /** The time of the acknowledgement; `Infinity` until then. */
  ended: number;
  /** Whether the edit was refused, because it was based on an older version. */
  refused?: boolean;
}

export const textOfEdit = (number: number): string => `Edit ${number}`;

/** What is wrong with the stored text after these edits; `initial` is the text before them. */
export function violationsOfEdits(
  what: string,
  edits: readonly Edit[],
  text: string,
  initial = '',
): string[] {
  if (edits.length === 0) return [];
  const last = text === initial ? { ended: 0 } : edits[Number(/^Edit (\d+)$/.exec(text)?.[1])];
  if (!last) return [`${what} has a text that no edit wrote: ${text}`];
  if ('refused' in last && last.refused) return [`${what} has an edit that was refused: ${text}`];
  // Of concurrent edits either may be the last. An edit that began after the acknowledgement of this one must have
  // won.
  const lost = edits.filter(({ began, ended }) => ended < Infinity && began > last.ended).length;
  return lost > 0 ? [`${lost} edits of ${what} were acknowledged after the one that is there`] : [];
}
