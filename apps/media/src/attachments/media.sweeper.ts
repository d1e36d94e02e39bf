import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Attachments } from './attachments.repository.ts';
import { MediaConfig } from '../media.config.ts';
import { runSequentially } from '../storage/run-sequentially.ts';
import { UploadRemover } from '../uploads/upload-remover.ts';
import { WithdrawalService } from '../withdrawals/withdrawal.service.ts';

const emptySlotsBatch = 5000;

/** Removes unused uploads and expired rows. */
@Injectable()
export class MediaSweeper extends Sweeper {
  constructor(
    private readonly remover: UploadRemover,
    private readonly withdrawals: WithdrawalService,
    private readonly attachments: Attachments,
    config: MediaConfig,
  ) {
    // The first pause leaves time for events during a downtime of this service, which may attach an old
    // unused picture.
    super({ firstMs: config.SWEEP_INTERVAL_MS, everyMs: config.SWEEP_INTERVAL_MS });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    await runSequentially([
      () => this.withdrawals.forget(),
      () => this.#deleteEmptySlots(stopping),
      () => this.remover.sweep(stopping),
    ]);
  }

  async #deleteEmptySlots(stopping: AbortSignal): Promise<void> {
    while (
      !stopping.aborted &&
      (await this.attachments.deleteEmptySlots(emptySlotsBatch)) === emptySlotsBatch
    );
  }
}
