import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { MediaConfig } from './media.config.ts';
import { UploadRemover } from './upload-remover.ts';
import { WithdrawalService } from './withdrawal.service.ts';

/** Removes what nothing uses. */
@Injectable()
export class MediaSweeper extends Sweeper {
  constructor(
    private readonly remover: UploadRemover,
    private readonly withdrawals: WithdrawalService,
    config: MediaConfig,
  ) {
    // The first pause leaves time for events that came while this service was down: they may attach a picture
    // that looks old and unused.
    super({ firstMs: config.SWEEP_INTERVAL_MS, everyMs: config.SWEEP_INTERVAL_MS });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    await this.withdrawals.forget();
    await this.remover.sweep(stopping);
  }
}
