import { Injectable } from '@nestjs/common';
import type { RecordVersion, UsedUploads } from './attachment-slots.ts';
import { Attachments } from './attachments.repository.ts';
import { UploadRemover } from '../uploads/upload-remover.ts';

@Injectable()
export class AttachmentsService {
  constructor(
    private readonly attachments: Attachments,
    private readonly remover: UploadRemover,
  ) {}

  /** Records the uploads that a profile or offering uses, and removes those that became unused. */
  async attach(owner: RecordVersion, uses: UsedUploads, eventId: string): Promise<void> {
    this.remover.removeSoon(await this.attachments.attach(owner, uses, eventId));
  }

  async close(uid: string, eventId: string): Promise<void> {
    this.remover.removeSoon(await this.attachments.close(uid, eventId));
  }
}
