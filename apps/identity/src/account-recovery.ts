import { Refusal, withoutBudget } from '@stoa/messaging';
import { withTaskSpan } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { IdentityRepository, type UndoneChange } from './identity.repository.ts';
import { EmailTaken, KeycloakClient, KeycloakUnavailable } from './keycloak.client.ts';
import { undoHours } from './owner-changes.repository.ts';
import { undoTokenHash } from './undo-token.ts';

/** Gives an account back to its owner after a change that somebody else made. */
@Injectable()
export class AccountRecovery {
  private readonly logger = new Logger(AccountRecovery.name);

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
  ) {}

  /**
   * Takes a change back by the link that was mailed about it, once. Of a try that was lost after it the mail may be lost as
   * well: the page says where to ask for another one.
   * @throws Refusal when the link is not, or no longer, one of ours
   */
  async undo(token: string, requestId: string | undefined): Promise<Record<string, never>> {
    const uid = await this.accounts
      .undoChange(undoTokenHash(token), requestId, (change) => this.#giveBack(change))
      .catch(asRefusal);
    if (uid === 'busy') throw unavailable();
    if (!uid && (await this.accounts.isDone(requestId))) return {};
    if (!uid) throw new Refusal('not_found', 'This link has been used, or has run out.');
    void withoutBudget(() => this.#mailReset(uid));
    return {};
  }

  /** Each step may be done twice: when one fails, the link goes on working. */
  async #giveBack({ uid, address, at }: UndoneChange): Promise<void> {
    await this.#restoreAddress(uid, address);
    await this.keycloak.forgetRequestedEmail(uid);
    // The author of the change may have added other ways to log in, shortly before or since.
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
      // An account that has proved the address is its owner's as well; one that has not must not stand in their way.
      if (!holder || holder.emailVerified)
        throw new Refusal('conflict', 'Another account has this address now.');
      await this.keycloak.takeEmailFrom(holder.id);
      await this.keycloak.setVerifiedEmail(uid, address);
    }
  }

  async #mailReset(uid: string): Promise<void> {
    try {
      await withTaskSpan('mail reset', {}, () => this.keycloak.sendReset(uid));
    } catch (error) {
      // The page says where to ask for another one.
      this.logger.warn(`a mail for a new password was not sent: ${String(error)}`);
    }
  }
}

function asRefusal(error: unknown): never {
  if (error instanceof KeycloakUnavailable) throw unavailable();
  if (error instanceof EmailTaken) throw new Refusal('conflict', 'Another account has this address now.');
  throw error;
}

const unavailable = () => new Refusal('unavailable', 'The change cannot be taken back right now.');
