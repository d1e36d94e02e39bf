import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { WithdrawalService } from './withdrawal.service.ts';

/** What is hidden is hidden everywhere within 5 s. */
const everyMs = 1000;

/** Writes lists of withdrawn objects: after an upload of a hidden offering, and where a replica died or the store was away. */
@Injectable()
export class WithdrawalSweeper extends Sweeper {
  constructor(private readonly withdrawals: WithdrawalService) {
    super({ firstMs: everyMs, everyMs });
  }

  protected sweep(stopping: AbortSignal): Promise<void> {
    return this.withdrawals.sweep(stopping);
  }
}
