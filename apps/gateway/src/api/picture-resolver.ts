import { type Caller, media, type Picture, type UploadPurpose } from '@stoa/contracts';
import { Bus, invalidInput, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';

const purposes = {
  profileImageId: 'profile-picture',
  coverImageId: 'offering-cover',
} as const satisfies Record<string, UploadPurpose>;

/** Turns the id of an upload in a form into the picture that its owner may attach. */
@Injectable()
export class PictureResolver {
  constructor(private readonly bus: Bus) {}

  /** The picture; null and undefined as they are. @throws Refusal that names `field` for a picture not theirs. */
  async resolve<Id extends string | null | undefined>(
    field: keyof typeof purposes,
    id: Id,
    caller: Caller,
  ): Promise<Picture | Exclude<Id, string>> {
    if (typeof id !== 'string') return id as Exclude<Id, string>;
    return this.bus
      .ask(media.resolve, { id, purpose: purposes[field] }, { caller })
      .catch((error: unknown) => {
        const unknownPicture = error instanceof Refusal && error.code === 'not_found';
        throw unknownPicture
          ? invalidInput([{ path: [field], message: 'Upload this picture again.' }])
          : error;
      });
  }
}
