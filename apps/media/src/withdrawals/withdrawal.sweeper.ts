import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { WithdrawalService } from './withdrawal.service.ts';

/**
 * Pause between attempts when the store refuses a list. Hidden objects must be withdrawn everywhere within 5
 * s.
 */
const retryMs = 1000;
/** The bound on the delay that a lost notification causes. */
const everyMs = 60_000;

/**
 * Writes lists of withdrawn objects after an upload for a hidden offering, a crash of a replica, or an outage
 * of the store.
 */
@Injectable()
export class WithdrawalSweeper extends Sweeper {
  constructor(private readonly withdrawals: WithdrawalService) {
    super({ everyMs, retryMs }, 'withdrawal_list');
  }

  protected async sweep(stopping: AbortSignal): Promise<number | void> {
    this.rest(retryMs);
    return this.withdrawals.sweep(stopping);
  }
}
