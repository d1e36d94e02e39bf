import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { UploadRemover } from './upload-remover.ts';

const everyMs = 10_000;

/** Ends removals that were cut short long before MediaSweeper comes: nothing that may be begun is begun by it. */
@Injectable()
export class RemovalSweeper extends Sweeper {
  constructor(private readonly remover: UploadRemover) {
    super({ firstMs: everyMs, everyMs });
  }

  protected sweep(stopping: AbortSignal): Promise<void> {
    return this.remover.resume(stopping);
  }
}
