import { LeaseWorker } from '@stoa/platform';
import { metrics, observe } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { AccountDeletions, type DueDeletion, erasingServices } from './account-deletions.repository.ts';
import { composeDeletionMail } from './deletion-mail.ts';
import { KeycloakClient, KeycloakUnavailable } from '../keycloak/keycloak.client.ts';
import { mailFailureCodes, MailerClient } from '../mails/mailer.client.ts';

/** Milliseconds after which services that have not answered get the event of the deletion again. */
const waitMs = 300_000;
/** Milliseconds after which another replica continues if this one crashes. A running one renews the lease. */
const leaseMs = 20_000;
/** The longest step is the mail of the receipt, which may take 150 s (libs/platform). */
const longestStepMs = 180_000;
const longestPauseMs = 600_000;

/** Deletes accounts step by step (saga): the user in Keycloak, the data of all services, then the receipt. */
@Injectable()
export class AccountDeleter extends LeaseWorker<DueDeletion> {
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly deletions: AccountDeletions,
    private readonly keycloak: KeycloakClient,
    private readonly mailer: MailerClient,
  ) {
    const names = { task: 'delete account', row: 'deletion' };
    super(deletions, { ...names, leaseMs, graceMs: longestStepMs, longestPauseMs });
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.#unobserve = observe(metrics.deletionsAge, () => this.deletions.oldestAge());
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await super.beforeApplicationShutdown();
  }

  protected async work(due: DueDeletion): Promise<number | void> {
    const { id, uid, removedAt, erased } = due;
    if (!removedAt) {
      await this.#deleteUser(due);
      // RealmFollower publishes `identity.closed` when it reads Keycloak's event about the deletion.
      await this.deletions.markRemoved(id, waitMs);
    } else if (erasingServices.some((service) => !erased[service])) {
      await this.deletions.announceClosed(uid);
      return waitMs;
    } else {
      await this.#mailReceipt(due);
      await this.deletions.finish(id, uid);
    }
  }

  protected override reasonOf(error: unknown): string {
    return error instanceof KeycloakUnavailable ? String(error) : mailFailureCodes(error);
  }

  async #deleteUser({ id, uid, address }: DueDeletion): Promise<void> {
    // If identity was down during each log-in, only Keycloak knows the address for the receipt.
    const user = address === null ? await this.keycloak.findUser(uid) : null;
    if (user?.emailVerified) await this.deletions.recordAddress(id, user.email);
    await this.keycloak.deleteUser(uid);
  }

  async #mailReceipt({ id, address, ...deletion }: DueDeletion): Promise<void> {
    if (address) await this.mailer.send(`deletion-${id}`, composeDeletionMail(address, deletion), 'notice');
  }
}
