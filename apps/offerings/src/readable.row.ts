import { Picture, RecordedType, StoredFile } from '@stoa/contracts';

// One odd record must not take its creator's whole list away.
const Type = RecordedType.catch('');
const NullablePicture = Picture.nullable().catch(null);
const NullableFile = StoredFile.nullable().catch(null);

/** A type there is by now; otherwise none. */
export const readableType = (type: unknown): RecordedType => Type.parse(type);

/** A stored picture; one that nobody can read is none. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** A stored file; one that nobody can read is none. */
export const readableFile = (file: unknown): StoredFile | null => NullableFile.parse(file);
