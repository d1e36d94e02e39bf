import type { Facts, identity, ReviewFacts } from '@stoa/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { MediaRepository } from './media.repository.ts';
import { WithdrawalStorageClient } from './withdrawal-storage.client.ts';

/** Longer than the store is given to write or remove a list. */
const leaseMs = 20_000;
const writtenAtOnce = 50;

/**
 * Withdraws the objects of what an operator has hidden. Each account of which something is withdrawn has a list in the
 * public bucket, which edge reads before it shows an object of the account: so it holds over restarts, for every replica
 * and with any store, and the list is there whenever the objects are.
 */
@Injectable()
export class WithdrawalService {
  private readonly logger = new Logger(WithdrawalService.name);

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: WithdrawalStorageClient,
  ) {}

  async review({ uid, offering, outcome, at }: ReviewFacts): Promise<void> {
    if (outcome === 'upheld') return;
    const page = { ownerId: offering?.id ?? uid, uid };
    await this.uploads.withdrawals.decide(page, outcome === 'hidden', BigInt(Date.parse(at)));
    await this.writeSoon(uid);
  }

  /** The account is gone: its objects are read by nobody, though the store takes its time to remove them. */
  async close({ uid }: Facts<typeof identity.closed>): Promise<void> {
    await this.uploads.withdrawals.close(uid);
    await this.writeSoon(uid);
  }

  async forgetOffering(id: string): Promise<void> {
    await this.uploads.withdrawals.forgetOffering(id);
  }

  /** Writes lists that were left. */
  async sweep(stopping: AbortSignal): Promise<void> {
    for (const uid of await this.uploads.withdrawals.listDue(writtenAtOnce)) {
      if (stopping.aborted) return;
      await this.writeSoon(uid);
    }
  }

  /** Forgets pages whose objects are removed. */
  forget(): Promise<void> {
    return this.uploads.withdrawals.forget();
  }

  /** A list that the store does not take now is left to the sweeper. */
  private async writeSoon(uid: string): Promise<void> {
    await this.write(uid).catch((error: unknown) => {
      this.logger.warn(`the list of withdrawn objects of ${uid} waits: ${String(error)}`);
    });
  }

  /** Writes the list of an account where it is due and no other replica is at it. */
  private async write(uid: string): Promise<void> {
    const { withdrawals } = this.uploads;
    for (;;) {
      const list = await withdrawals.take(uid, leaseMs);
      if (!list) return;
      try {
        await this.storage.keep(uid, list.ids);
      } catch (error) {
        await withdrawals.abandon(uid);
        throw error;
      }
      if (await withdrawals.end(uid, list.version)) return;
    }
  }
}
