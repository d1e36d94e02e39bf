import {
  type Account,
  type AccountSession,
  type Caller,
  hasFreshLogin,
  type identity,
  type Input,
  type LinkChangeList,
  type SecondFactor,
  type UndoneLinkChange,
} from '@stoa/contracts';
import { type Call, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { AccountDeleter } from './account-deleter.ts';
import { browserNameOf } from './browser-name.ts';
import { IdentityRepository } from './identity.repository.ts';
import { secondFactorOf } from './second-factors.ts';
import { KeycloakClient, KeycloakUnavailable } from './keycloak.client.ts';
import { ProofMailer } from './proof-mailer.ts';
import { undoTokenHash } from './undo-token.ts';

@Injectable()
export class IdentityService {
  constructor(
    private readonly accounts: IdentityRepository,
    private readonly keycloak: KeycloakClient,
    private readonly proofs: ProofMailer,
    private readonly deleter: AccountDeleter,
  ) {}

  async open(caller: Caller, { userAgent, profile }: Input<typeof identity.open>): Promise<Account> {
    const browser = browserNameOf(userAgent);
    const claims = {
      uid: caller.uid,
      username: caller.username.toLowerCase(),
      email: caller.email.toLowerCase(),
      emailVerified: caller.emailVerified,
      termsAcceptedAt: caller.termsAcceptedAt,
      claimsIssuedAt: caller.tokenIssuedAt,
    };
    const session = browser && caller.sid ? { sessionId: caller.sid, browser } : undefined;
    const account = await this.accounts.open(claims, { session, profile });
    if (account === 'closed') throw new Refusal('forbidden', 'This account is closed.');
    if (!account) throw new Refusal('conflict', 'This username belongs to somebody else.');
    if (!caller.emailVerified) await this.proofs.first(caller.uid);
    return account;
  }

  async sendProof(caller: Caller): Promise<Record<string, never>> {
    if (!caller.emailVerified) await this.proofs.again(caller.uid);
    return {};
  }

  async listSessions({ uid, sid }: Caller): Promise<{ items: AccountSession[] }> {
    const sessions = await this.keycloak.sessionsOf(uid).catch(noSessions);
    const latestFirst = sessions.toSorted((one, other) => other.lastAccess - one.lastAccess);
    const browsers = await this.accounts.sessionBrowsers.of(
      uid,
      sessions.map(({ id }) => id),
    );
    return {
      items: latestFirst.map(({ id, start, lastAccess, ipAddress }) => ({
        id,
        startedAt: new Date(start).toISOString(),
        lastAccessAt: new Date(lastAccess).toISOString(),
        ipAddress,
        browser: browsers.get(id),
        current: id === sid,
      })),
    };
  }

  async endSession(
    sid: string,
    { caller: { uid }, requestId, isRepeat }: Call,
  ): Promise<Record<string, never>> {
    // A try before this one may have ended it and been lost before it was announced: whose it was is known no more.
    if (!(isRepeat && (await this.accounts.isDone(requestId)))) {
      const sessions = await this.keycloak.sessionsOf(uid).catch(noSessions);
      // In the same words whether it is somebody else's or does not exist.
      if (!sessions.some(({ id }) => id === sid)) throw new Refusal('not_found', 'There is no such session.');
      await this.accounts.note(requestId);
    }
    await this.keycloak.endSession(sid).catch(noSessions);
    await this.accounts.announceSessionEnd({ uid, sid, at: new Date().toISOString() });
    return {};
  }

  // Keycloak's record of it is followed as well. Announced here, it is known before the answer is read.
  async signOutEverywhere({ uid }: Caller): Promise<Record<string, never>> {
    await this.keycloak.endSessionsOf(uid).catch(noSessions);
    await this.accounts.announceSessionEnd({ uid, sid: null, at: new Date().toISOString() });
    return {};
  }

  async listSecondFactors({ uid }: Caller): Promise<{ items: SecondFactor[] }> {
    const credentials = await this.keycloak.credentialsOf(uid).catch(noFactors);
    return {
      items: credentials
        .toSorted((one, other) => one.createdDate - other.createdDate)
        .flatMap((credential) => secondFactorOf(credential) ?? []),
    };
  }

  async listLinkChanges({ uid }: Caller): Promise<LinkChangeList> {
    return { items: await this.accounts.linkChanges.list(uid) };
  }

  async undoLinkChange(token: string, requestId: string | undefined): Promise<UndoneLinkChange> {
    const undone = await this.accounts.linkChanges.undo(undoTokenHash(token), requestId);
    if (!undone) throw new Refusal('not_found', 'This link has been used, or has run out.');
    return undone;
  }

  /** A session that was left open somewhere deletes nothing: its owner logs in anew for it. */
  async deleteAccount(caller: Caller): Promise<Record<string, never>> {
    if (!hasFreshLogin(caller))
      throw new Refusal('forbidden', 'Log in again first: this takes a fresh log-in.');
    await this.accounts.deletions.request(caller);
    this.deleter.wake();
    return {};
  }
}

const noSessions = asRefusal('Sessions can be neither seen nor ended right now.');
const noFactors = asRefusal('What you log in with cannot be seen right now.');

/** What a call to Keycloak fails with, in `words` for the account's owner where it is Keycloak that is away. */
function asRefusal(words: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof KeycloakUnavailable ? new Refusal('unavailable', words) : error;
  };
}
