import type { UploadPurpose } from '@stoa/contracts';

interface Posted {
  readonly uid: string;
  readonly id: string;
}

/** Key of an unchecked upload in the staging bucket. */
export function stagingKey({ uid, id }: Posted): string {
  return `${uid}/${id}`;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const posted = new RegExp(`^${uuid}/(${uuid})$`);

/** The upload's id in a key of the staging bucket; undefined if no grant has such a key. */
export function uploadPostedAt(key: string): string | undefined {
  return posted.exec(key)?.[1];
}

/** The beginning of the keys of a picture's variants, or the key of a file. */
export function pathOf(purpose: UploadPurpose, { uid, id }: Posted): string {
  switch (purpose) {
    case 'profile-picture':
      return `profile_pictures/${uid}/${id}`;
    case 'profile-header':
      return `profile_pictures/${uid}/header_${id}`;
    case 'offering-cover':
      return `offering_images/${uid}/${Date.now()}_${id}`;
    case 'offering-file':
      return `offering_files/${uid}/${id}`;
  }
}
