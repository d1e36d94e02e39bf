import type { Facts, identity, ReviewFacts } from '@stoa/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { WithdrawalStorageClient } from '../storage/withdrawal-storage.client.ts';
import { Withdrawals } from './withdrawals.repository.ts';

/** Longer than the timeout of a request to the store. */
const leaseMs = 20_000;
const writeBatch = 50;

/**
 * Withdraws the objects of hidden pages. Each account with withdrawn objects has a list in the public bucket,
 * which edge reads before it serves an object of the account. So withdrawals survive restarts, apply to every
 * replica and work with any store. The list is available whenever the objects are.
 */
@Injectable()
export class WithdrawalService {
  private readonly logger = new Logger(WithdrawalService.name);

  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly storage: WithdrawalStorageClient,
  ) {}

  async review({ uid, offering, outcome, at }: ReviewFacts): Promise<void> {
    if (outcome === 'upheld') return;
    const page = { ownerId: offering?.id ?? uid, uid };
    await this.withdrawals.decide(page, outcome === 'hidden', BigInt(Date.parse(at)));
    await this.writeSoon(uid);
  }

  /** Withdraws the objects of a closed account, because their removal from the store takes time. */
  async close({ uid }: Facts<typeof identity.closed>): Promise<void> {
    await this.withdrawals.close(uid);
    await this.writeSoon(uid);
  }

  async forgetOffering(id: string): Promise<void> {
    await this.withdrawals.forgetOffering(id);
  }

  /** Writes lists that are due. @returns the milliseconds until the next one is due */
  async sweep(stopping: AbortSignal): Promise<number | void> {
    for (const uid of await this.withdrawals.listDue(writeBatch)) {
      if (stopping.aborted) return;
      await this.writeSoon(uid);
    }
    return this.withdrawals.nextDueMs();
  }

  /** Deletes rows of pages whose objects are removed. */
  forget(): Promise<void> {
    return this.withdrawals.forget();
  }

  /** Leaves a list that the store refuses to the sweeper. */
  private async writeSoon(uid: string): Promise<void> {
    await this.write(uid).catch((error: unknown) => {
      this.logger.warn(
        `the list of withdrawn objects of ${uid} was not written and is retried: ${String(error)}`,
      );
    });
  }

  /** Writes the list of an account if it is due and no other replica writes it. */
  private async write(uid: string): Promise<void> {
    for (;;) {
      const list = await this.withdrawals.take(uid, leaseMs);
      if (!list) return;
      try {
        await this.storage.keep(uid, list.ids);
      } catch (error) {
        await this.withdrawals.abandon(uid);
        throw error;
      }
      if (await this.withdrawals.end(uid, list.version)) return;
    }
  }
}
