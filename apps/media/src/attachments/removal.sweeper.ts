import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { PreviewCardService } from '../cards/preview-card.service.ts';
import { UploadRemover } from '../uploads/upload-remover.ts';

const everyMs = 10_000;

/**
 * Finishes interrupted removals of uploads and removes expired cards. It runs more often than MediaSweeper,
 * because no late event can need these objects.
 */
@Injectable()
export class RemovalSweeper extends Sweeper {
  constructor(
    private readonly remover: UploadRemover,
    private readonly cards: PreviewCardService,
  ) {
    super({ firstMs: everyMs, everyMs });
  }

  /** Removes cards even if the object store refuses to remove an upload. */
  protected async sweep(stopping: AbortSignal): Promise<void> {
    try {
      await this.remover.resume(stopping);
    } finally {
      await this.cards.sweep(stopping);
    }
  }
}
