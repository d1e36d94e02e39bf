import { WokenWorker } from '@stoa/platform';
import { metrics, observe, withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setInterval } from 'node:timers/promises';
import { type DueDeletion, erasingServices } from './account-deletions.repository.ts';
import { composeDeletionMail } from './deletion-mail.ts';
import { IdentityRepository } from './identity.repository.ts';
import { KeycloakClient, KeycloakUnavailable } from './keycloak.client.ts';
import { mailFailure, MailerClient } from './mailer.client.ts';

/** After this long a service that has not answered is told once more: it may have been one of the release before. */
const waitMs = 300_000;
/** For so long a deletion waits for the others when a replica dies with it in hand; a replica at work renews it. */
const leaseMs = 20_000;
const renewMs = 3000;
const everyMs = 1000;
/** A receipt is mailed for 150 s at most (libs/platform). */
const longestStepMs = 180_000;
const firstPauseMs = 5000;
const longestPauseMs = 600_000;

/** Leads each deletion to its end, a step at a time: the account at Keycloak, what the services hold, the receipt. */
@Injectable()
export class AccountDeleter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(AccountDeleter.name);
  readonly #worker = new WokenWorker(AccountDeleter.name, { everyMs, graceMs: longestStepMs }, (signal) =>
    this.#workAll(signal),
  );
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
    private readonly mailer: MailerClient,
  ) {}

  onApplicationBootstrap(): void {
    this.#worker.start();
    this.#unobserve = observe(metrics.deletionsAge, () => this.accounts.deletions.oldestAge());
  }

  /** Looks for deletions that are due. */
  wake(): void {
    this.#worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await this.#worker.stop();
  }

  async #workAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await this.accounts.deletions.takeDue(leaseMs);
      if (!due) return;
      await withTaskSpan('delete account', {}, () => this.#step(due));
    }
  }

  async #step(due: DueDeletion): Promise<void> {
    const { id, uid, removedAt, erased, attempts } = due;
    const { deletions } = this.accounts;
    try {
      if (!removedAt) {
        await this.#underLease(due, () => this.keycloak.deleteUser(uid));
        // What follows from it the realm's own record announces: see RealmFollower.
        await deletions.markRemoved(id, waitMs);
      } else if (erasingServices.some((service) => !erased[service])) {
        await deletions.announceClosed(uid);
        await deletions.retryIn(due, waitMs);
      } else {
        await this.#underLease(due, () => this.#mailReceipt(due));
        await deletions.finish(id, uid);
      }
    } catch (error) {
      const reason = error instanceof KeycloakUnavailable ? String(error) : mailFailure(error);
      this.#logger.warn(`deletion ${id} waits, attempt ${attempts}: ${reason}`);
      await deletions.retryIn(due, Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs));
    }
  }

  // Ends before its step is noted, so that it takes back no later time that is set then.
  async #underLease(due: DueDeletion, work: () => Promise<void>): Promise<void> {
    const ended = new AbortController();
    const renewing = this.#renew(due, ended.signal);
    try {
      await work();
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #renew(due: DueDeletion, signal: AbortSignal): Promise<void> {
    const failed = (error: unknown) => this.#logger.warn(`a lease is not renewed: ${String(error)}`);
    try {
      for await (const _ of setInterval(renewMs, undefined, { signal }))
        await this.accounts.deletions.retryIn(due, leaseMs).catch(failed);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #mailReceipt({ id, address, ...deletion }: DueDeletion): Promise<void> {
    if (address) await this.mailer.send(`deletion-${id}`, composeDeletionMail(address, deletion), 'notice');
  }
}
