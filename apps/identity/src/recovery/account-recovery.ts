import { Refusal, withoutBudget } from '@stoa/messaging';
import { withTaskSpan } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { EmailTaken, KeycloakClient, KeycloakUnavailable } from '../keycloak/keycloak.client.ts';
import { OwnerChanges, type UndoneChange, undoHours } from './owner-changes.repository.ts';
import { undoTokenHash } from './undo-token.ts';

/** Gives an account back to its owner after a thief has changed the password or address. */
@Injectable()
export class AccountRecovery {
  private readonly logger = new Logger(AccountRecovery.name);

  constructor(
    private readonly changes: OwnerChanges,
    private readonly keycloak: KeycloakClient,
  ) {}

  /**
   * Undoes a change by the secret of its mailed link, once. The owner then gets a mail to set a new password.
   * @throws Refusal if the link is unknown, used or expired
   */
  async undo(token: string, requestId: string | undefined): Promise<Record<string, never>> {
    const uid = await this.changes
      .undo(undoTokenHash(token), requestId, (change) => this.#restoreAccount(change))
      .catch(asRefusal);
    if (uid === 'busy') throw unavailable();
    if (!uid && (await this.changes.isDone(requestId))) return {};
    if (!uid) throw new Refusal('not_found', 'This link has been used, or has run out.');
    void withoutBudget(() => this.#mailReset(uid));
    return {};
  }

  /** Every step is idempotent. If a step fails, the link stays valid and the owner can try again. */
  async #restoreAccount({ uid, address, at }: UndoneChange): Promise<void> {
    await this.#restoreAddress(uid, address);
    await this.keycloak.discardRequestedEmail(uid);
    // Removes every way to log in that a thief may have added, shortly before the change or since.
    const since = at.getTime() - undoHours * 3_600_000;
    for (const { id, type, createdDate } of await this.keycloak.credentialsOf(uid)) {
      if (type === 'password' || createdDate >= since) await this.keycloak.removeCredential(uid, id);
    }
    await this.keycloak.endSessionsOf(uid);
  }

  async #restoreAddress(uid: string, address: string): Promise<void> {
    try {
      await this.keycloak.setVerifiedEmail(uid, address);
    } catch (error) {
      if (!(error instanceof EmailTaken)) throw error;
      const holder = await this.keycloak.findByEmail(address);
      // An account without a proved address must not block the owner of the address.
      if (!holder || holder.emailVerified)
        throw new Refusal('conflict', 'Another account has this address now.');
      await this.keycloak.replaceEmail(holder.id);
      await this.keycloak.setVerifiedEmail(uid, address);
    }
  }

  async #mailReset(uid: string): Promise<void> {
    try {
      await withTaskSpan('mail reset', {}, () => this.keycloak.sendReset(uid));
    } catch (error) {
      // The page explains how to request the mail again.
      this.logger.warn(`the mail for a new password was not sent: ${String(error)}`);
    }
  }
}

function asRefusal(error: unknown): never {
  if (error instanceof KeycloakUnavailable) throw unavailable();
  if (error instanceof EmailTaken) throw new Refusal('conflict', 'Another account has this address now.');
  throw error;
}

const unavailable = () => new Refusal('unavailable', 'The change cannot be taken back right now.');
