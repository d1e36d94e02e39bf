import type { PicturePurpose } from '@stoa/contracts';

/** A record of another service that may use uploads, at one version. */
export interface RecordVersion {
  readonly id: string;
  readonly version: number;
}

/** The upload that a record uses for each purpose, and all its files. */
export type UsedUploads = Partial<Record<PicturePurpose, string | null>> & {
  readonly files?: readonly string[] | undefined;
};

/** One use of an upload. The kind and the record are the key. */
export interface AttachmentSlot {
  readonly ownerKind: string;
  readonly uploadId: string | null;
}

const ownerKindOf: Record<PicturePurpose, string> = {
  'profile-picture': 'creator',
  'offering-cover': 'offering',
  'profile-header': 'profile-header',
};

const filePrefix = 'offering-file:';

/** The slots that these uses fill or empty, given the record's stored slots. */
export function slotsOf(
  { files, ...uses }: UsedUploads,
  stored: readonly AttachmentSlot[],
): AttachmentSlot[] {
  const single = (Object.entries(uses) as [PicturePurpose, string | null][]).map(([purpose, uploadId]) => ({
    ownerKind: ownerKindOf[purpose],
    uploadId,
  }));
  return [...single, ...fileSlots(files, stored)];
}

function fileSlots(files: UsedUploads['files'], stored: readonly AttachmentSlot[]): AttachmentSlot[] {
  if (!files) return [];
  // The first slot always exists, because it stores the version at which the record has no files.
  const filled = Array.from({ length: Math.max(files.length, 1) }, (_, place) => ({
    ownerKind: `${filePrefix}${place}`,
    uploadId: files[place] ?? null,
  }));
  const emptied = stored
    .filter(({ ownerKind }) => ownerKind.startsWith(filePrefix))
    .filter(({ ownerKind }) => Number(ownerKind.slice(filePrefix.length)) >= filled.length)
    .map(({ ownerKind }) => ({ ownerKind, uploadId: null }));
  return [...filled, ...emptied];
}

/** The group of slots that one version sets together: all files of a record, or any other slot alone. */
export const groupOf = (ownerKind: string): string =>
  ownerKind.startsWith(filePrefix) ? filePrefix : ownerKind;

/** The groups that this version or a newer one has already set. */
export const settledGroups = (
  stored: readonly { ownerKind: string; version: number }[],
  version: number,
): ReadonlySet<string> =>
  new Set(stored.filter((slot) => slot.version >= version).map(({ ownerKind }) => groupOf(ownerKind)));
