import { limits } from '@stoa/contracts';
import { rateLimited, withoutBudget } from '@stoa/messaging';
import { withTaskSpan } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { IdentityRepository } from './identity.repository.ts';
import { KeycloakClient, KeycloakUnavailable } from '../keycloak/keycloak.client.ts';

@Injectable()
export class ProofMailer {
  private readonly logger = new Logger(ProofMailer.name);

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
  ) {}

  /** Starts sending the first mail and does not wait. If it fails, the user's next session tries again. */
  async sendFirst(uid: string): Promise<void> {
    if ((await this.accounts.claimProof(uid, null)) === 'claimed') void withoutBudget(() => this.send(uid));
  }

  /**
   * Starts sending another mail and does not wait.
   * @throws Refusal if the last mail is recent, or the recipient's daily limit is reached
   */
  async sendAgain(uid: string): Promise<void> {
    const pauseMs = limits.proofMailMinutes * 60_000;
    const claim = await this.accounts.claimProof(uid, new Date(Date.now() - pauseMs));
    if (claim !== 'claimed') {
      const waitMs = claim.from ? Math.max(claim.from.getTime() - Date.now(), 1000) : pauseMs;
      throw rateLimited('No other link can be mailed yet. Please try again later.', Math.ceil(waitMs / 1000));
    }
    void withoutBudget(() => this.send(uid));
  }

  private async send(uid: string): Promise<void> {
    try {
      await withTaskSpan('mail proof', {}, () => this.keycloak.sendProof(uid));
    } catch (error) {
      this.logger.warn(`the verification mail was not sent: ${String(error)}`);
      // Keycloak may have sent the mail although its answer is missing. A retry could send many mails.
      if (error instanceof KeycloakUnavailable && error.outcomeUnknown) return;
      await this.accounts.unclaimProof(uid).catch(() => undefined);
    }
  }
}
