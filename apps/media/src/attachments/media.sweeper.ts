import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Attachments } from './attachments.repository.ts';
import { MediaConfig } from '../media.config.ts';
import { runSequentially } from '../storage/run-sequentially.ts';
import { UploadRemover } from '../uploads/upload-remover.ts';
import { WithdrawalService } from '../withdrawals/withdrawal.service.ts';

const emptySlotsBatch = 5000;

@Injectable()
export class MediaSweeper extends Sweeper {
  constructor(
    private readonly remover: UploadRemover,
    private readonly withdrawals: WithdrawalService,
    private readonly attachments: Attachments,
    config: MediaConfig,
  ) {
    // The first round waits, so that events from a downtime of this service can still attach unused uploads.
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
