import type { Facts, identity, ReviewFacts } from '@stoa/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { WithdrawalStorageClient } from '../storage/withdrawal-storage.client.ts';
import { Withdrawals } from './withdrawals.repository.ts';

/** Longer than a request to the store may take. */
const leaseMs = 20_000;
const writeBatch = 50;

/**
 * Withdraws the objects of hidden pages and closed accounts from public access. It writes a list per account
 * into the public bucket, and the edge reads the list before it serves an object. If the store serves
 * objects, it also serves the lists.
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

  /** Withdraws a closed account's objects immediately, because removing them from the store takes longer. */
  async close({ uid }: Facts<typeof identity.closed>): Promise<void> {
    await this.withdrawals.close(uid);
    await this.writeSoon(uid);
  }

  async forgetOffering(id: string): Promise<void> {
    await this.withdrawals.forgetOffering(id);
  }

  /** Writes all due lists. @returns milliseconds until the next list is due */
  async sweep(stopping: AbortSignal): Promise<number | void> {
    for (const uid of await this.withdrawals.listDue(writeBatch)) {
      if (stopping.aborted) return;
      await this.writeSoon(uid);
    }
    return this.withdrawals.nextDueMs();
  }

  forget(): Promise<void> {
    return this.withdrawals.forget();
  }

  /** Writes the list now. If the store refuses it, the sweeper writes it later. */
  private async writeSoon(uid: string): Promise<void> {
    await this.write(uid).catch((error: unknown) => {
      this.logger.warn(
        `the list of withdrawn objects of ${uid} was not written and is retried: ${String(error)}`,
      );
    });
  }

  /** Writes the list of an account, if it is due and no other replica is writing it. */
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
