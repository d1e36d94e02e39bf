import { limits } from '@stoa/contracts';
import { rateLimited, withoutBudget } from '@stoa/messaging';
import { withTaskSpan } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { IdentityRepository } from './identity.repository.ts';
import { KeycloakClient, KeycloakUnavailable } from './keycloak.client.ts';

/** Lets people prove their address: Keycloak mails the link, once at sign-up and again when they ask. */
@Injectable()
export class ProofMailer {
  private readonly logger = new Logger(ProofMailer.name);

  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
  ) {}

  /** The first mail, whose sending nobody waits for: when Keycloak refuses, the next session tries again. */
  async first(uid: string): Promise<void> {
    if (await this.accounts.claimProof(uid, null)) void withoutBudget(() => this.send(uid));
  }

  /**
   * Another mail; its sending is not waited for either.
   * @throws Refusal while the last one is fresh
   */
  async again(uid: string): Promise<void> {
    const pauseMs = limits.proofMailMinutes * 60_000;
    if (!(await this.accounts.claimProof(uid, new Date(Date.now() - pauseMs))))
      throw rateLimited(
        'A mail is on its way to you. Please look for it, or try again later.',
        pauseMs / 1000,
      );
    void withoutBudget(() => this.send(uid));
  }

  private async send(uid: string): Promise<void> {
    try {
      await withTaskSpan('mail proof', {}, () => this.keycloak.sendProof(uid));
    } catch (error) {
      this.logger.warn(`a proof mail was not sent: ${String(error)}`);
      // Where only the answer is missing the mail may be on its way: many tries must not become many mails.
      if (error instanceof KeycloakUnavailable && error.outcomeUnknown) return;
      await this.accounts.unclaimProof(uid).catch(() => undefined);
    }
  }
}
