import { OfferingState, Picture, RecordedType, StoredFile } from '@stoa/contracts';

// One odd record must not take its creator's whole list away.
const Type = RecordedType.catch('');
const KnownState = OfferingState.catch('hidden');
const NullablePicture = Picture.nullable().catch(null);
const NullableFile = StoredFile.nullable().catch(null);

/** A type there is by now; otherwise none. */
export const readableType = (type: unknown): RecordedType => Type.parse(type);

/** A state there is by now; otherwise nobody sees it. */
export const readableState = (state: unknown): OfferingState => KnownState.parse(state);

/** A stored picture; one that nobody can read is none. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** A stored file; one that nobody can read is none. */
export const readableFile = (file: unknown): StoredFile | null => NullableFile.parse(file);
