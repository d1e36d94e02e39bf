import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { PreviewCardService } from './preview-card.service.ts';
import { UploadRemover } from './upload-remover.ts';

const everyMs = 10_000;

/**
 * Ends removals of uploads that were cut short, and removes cards whose time is over, long before MediaSweeper comes. No
 * event that is late can want back what either of them takes.
 */
@Injectable()
export class RemovalSweeper extends Sweeper {
  constructor(
    private readonly remover: UploadRemover,
    private readonly cards: PreviewCardService,
  ) {
    super({ firstMs: everyMs, everyMs });
  }

  /** Cards also where the store refuses an upload. */
  protected async sweep(stopping: AbortSignal): Promise<void> {
    try {
      await this.remover.resume(stopping);
    } finally {
      await this.cards.sweep(stopping);
    }
  }
}
