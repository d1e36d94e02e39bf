import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { WithdrawalService } from './withdrawal.service.ts';

/** Milliseconds until the next attempt. Objects of a hidden page must be withdrawn within 5 s. */
const retryMs = 1000;
/** Starts a round at least this often, in milliseconds, in case a notification of the database gets lost. */
const everyMs = 60_000;

/** Writes lists of withdrawn objects that no replica has written, for example after a crash. */
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
