import type { UploadPurpose } from '@stoa/contracts';

/** Which upload a record uses for each of its purposes, and all files of one that has several. */
export type Uses = Partial<Record<UploadPurpose, string | null>> & {
  readonly files?: readonly string[] | undefined;
};

/** A use as its row says it; a kind and the record are the key. */
export interface Slot {
  readonly ownerKind: string;
  readonly uploadId: string | null;
}

// In the words of the release before offerings had files, which works on the same rows during a rollout.
const ownerKindOf: Record<UploadPurpose, string> = {
  'profile-picture': 'creator',
  'offering-cover': 'offering',
  'profile-header': 'profile-header',
  'offering-file': 'offering-file',
};

const filePrefix = 'offering-file:';

/**
 * The slots that these uses fill or empty, beside those that a record has. The first file stands in the slot that the
 * release before several files knows, and with all others in one of its own: whatever that release does with the one, the
 * other keeps the file.
 */
export function slotsOf({ files, ...uses }: Uses, stored: readonly Slot[]): Slot[] {
  const single = (Object.entries(uses) as [UploadPurpose, string | null][]).map(([purpose, uploadId]) => ({
    ownerKind: ownerKindOf[purpose],
    uploadId,
  }));
  return [...single, ...fileSlots(files, uses['offering-file'], stored)];
}

function fileSlots(files: Uses['files'], first: string | null | undefined, stored: readonly Slot[]): Slot[] {
  // Who knows of one file alone has put it into the place of the first, and says nothing of the others.
  if (!files) return first === undefined ? [] : [{ ownerKind: `${filePrefix}0`, uploadId: first }];
  // The first two are there in any case, or nothing would say of which version it is that there is none.
  const filled = Array.from({ length: Math.max(files.length, 2) }, (_, place) => ({
    ownerKind: `${filePrefix}${place}`,
    uploadId: files[place] ?? null,
  }));
  const emptied = stored
    .filter(({ ownerKind }) => ownerKind.startsWith(filePrefix))
    .filter(({ ownerKind }) => Number(ownerKind.slice(filePrefix.length)) >= filled.length)
    .map(({ ownerKind }) => ({ ownerKind, uploadId: null }));
  return [...filled, ...emptied];
}

/**
 * What is settled by one version: the first file of an offering, in both of its slots, as that is all that some say; the
 * others together; anything else by itself.
 */
export const groupOf = (ownerKind: string): string => {
  if (ownerKind === `${filePrefix}0`) return ownerKindOf['offering-file'];
  return ownerKind.startsWith(filePrefix) ? filePrefix : ownerKind;
};

/** Those of which this version or a newer one has said what they are. */
export const settledGroups = (
  stored: readonly { ownerKind: string; version: number }[],
  version: number,
): ReadonlySet<string> =>
  new Set(stored.filter((slot) => slot.version >= version).map(({ ownerKind }) => groupOf(ownerKind)));
