import type { PicturePurpose } from '@stoa/contracts';

/** A profile or an offering at one version of its data. */
export interface RecordVersion {
  readonly id: string;
  readonly version: number;
}

/** The uploads that a profile or offering uses: one id per purpose of a picture, and the ids of its files. */
export type UsedUploads = Partial<Record<PicturePurpose, string | null>> & {
  readonly files?: readonly string[] | undefined;
};

/** Which upload a record uses for one purpose, such as `creator` or `offering-file:0`. */
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

/** Converts the used uploads of a record to slots. Slots of files that it no longer uses become empty. */
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
  // Without files the first slot exists too, because it stores the version of the record.
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

/** All slots of files belong to one group, because each version sets them together. Others are alone. */
export const groupOf = (ownerKind: string): string =>
  ownerKind.startsWith(filePrefix) ? filePrefix : ownerKind;

/** The groups that this version or a newer one has set, so that this version must not change them. */
export const settledGroups = (
  stored: readonly { ownerKind: string; version: number }[],
  version: number,
): ReadonlySet<string> =>
  new Set(stored.filter((slot) => slot.version >= version).map(({ ownerKind }) => groupOf(ownerKind)));
