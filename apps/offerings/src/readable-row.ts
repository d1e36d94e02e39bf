import {
  DeliveredFile,
  isPublicOffering,
  OfferingState,
  Picture,
  RecordedType,
  StoredFile,
} from '@stoa/contracts';

// One odd record must not take its creator's whole list away.
const Type = RecordedType.catch('');
const KnownState = OfferingState.catch('hidden');
const NullablePicture = Picture.nullable().catch(null);
const NullableFile = StoredFile.nullable().catch(null);

/** A type there is by now; otherwise none. */
export const readableType = (type: unknown): RecordedType => Type.parse(type);

/** A known state; an unknown one is not public. */
export const readableState = (state: unknown): OfferingState => KnownState.parse(state);

/** Whether visitors see it. */
export const isPublicRow = ({ state, takenDown }: { state: string; takenDown: boolean }): boolean =>
  isPublicOffering({ state: readableState(state), takenDown });

/** A stored picture; null for one that cannot be read. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** A stored file; null for one that cannot be read. */
export const readableFile = (file: unknown): StoredFile | null => NullableFile.parse(file);

/** One of several stored files; nothing for one that cannot be read. */
export function readableDeliveredFile(file: unknown): DeliveredFile[] {
  const { data } = DeliveredFile.safeParse(file);
  return data ? [data] : [];
}
