import {
  type Caller,
  type FileChange,
  type FileChoice,
  media,
  Picture,
  StoredFile,
  type UploadPurpose,
} from '@stoa/contracts';
import { Bus, invalidInput, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

const attachments = {
  profileImageId: { purpose: 'profile-picture', schema: Picture, again: 'Upload this picture again.' },
  headerImageId: { purpose: 'profile-header', schema: Picture, again: 'Upload this picture again.' },
  coverImageId: { purpose: 'offering-cover', schema: Picture, again: 'Upload this picture again.' },
  files: { purpose: 'offering-file', schema: StoredFile, again: 'Upload this file again.' },
} as const satisfies Record<string, { purpose: UploadPurpose; schema: z.ZodType; again: string }>;

type Field = keyof typeof attachments;
type Attached<F extends Field> = z.infer<(typeof attachments)[F]['schema']>;

/** Finds the pictures and files for the upload ids in a form, and checks that the caller may use them. */
@Injectable()
export class UploadResolver {
  constructor(private readonly bus: Bus) {}

  /** The picture or file; null and undefined stay as they are. @throws Refusal with `field` for an unknown or foreign id */
  async resolve<F extends Field, Id extends string | null | undefined>(
    field: F,
    id: Id,
    caller: Caller,
  ): Promise<Attached<F> | Exclude<Id, string>> {
    if (typeof id !== 'string') return id as Exclude<Id, string>;
    const { purpose, schema, again } = attachments[field];
    const upload = await this.bus.ask(media.resolve, { id, purpose }, { caller }).catch((error: unknown) => {
      const isUnknown = error instanceof Refusal && error.code === 'not_found';
      throw isUnknown ? invalidInput([{ path: [field], message: again }]) : error;
    });
    return schema.parse(upload) as Attached<F>;
  }

  /** Returns the files of a form; undefined stays as it is. */
  async resolveFiles(
    files: readonly FileChoice[] | undefined,
    caller: Caller,
  ): Promise<FileChange[] | undefined> {
    return (
      files &&
      Promise.all(
        files.map(async ({ id, ...choice }) => ({
          ...choice,
          file: await this.resolve('files', id, caller),
        })),
      )
    );
  }
}
