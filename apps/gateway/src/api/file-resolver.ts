import { type Caller, media, type StoredFile } from '@stoa/contracts';
import { Bus, invalidInput, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';

/** Turns the id of an upload in a form into the file that its owner may attach. */
@Injectable()
export class FileResolver {
  constructor(private readonly bus: Bus) {}

  /** The file; null and undefined as they are. @throws Refusal that names `fileId` for a file not theirs. */
  async resolve(id: string | null | undefined, caller: Caller): Promise<StoredFile | null | undefined> {
    if (typeof id !== 'string') return id;
    return this.bus.ask(media.resolveFile, { id }, { caller }).catch((error: unknown) => {
      const unknownFile = error instanceof Refusal && error.code === 'not_found';
      throw unknownFile ? invalidInput([{ path: ['fileId'], message: 'Upload this file again.' }]) : error;
    });
  }
}
