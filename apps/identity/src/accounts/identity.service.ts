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
import { AccountDeletions } from '../deletion/account-deletions.repository.ts';
import { browserNameOf } from '../sessions/browser-name.ts';
import { IdentityRepository } from './identity.repository.ts';
import { KeycloakClient, KeycloakUnavailable } from '../keycloak/keycloak.client.ts';
import { LinkChanges } from '../recovery/link-changes.repository.ts';
import { ProofMailer } from './proof-mailer.ts';
import { secondFactorOf } from './second-factors.ts';
import { Sessions } from '../sessions/sessions.repository.ts';
import { undoTokenHash } from '../recovery/undo-token.ts';

@Injectable()
export class IdentityService {
  constructor(
    private readonly accounts: IdentityRepository,
    private readonly sessions: Sessions,
    private readonly linkChanges: LinkChanges,
    private readonly deletions: AccountDeletions,
    private readonly keycloak: KeycloakClient,
    private readonly proofs: ProofMailer,
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
    const session = browser ? { sessionId: caller.sid, browser } : undefined;
    const account = await this.accounts.open(claims, { session, profile });
    if (account === 'closed') throw new Refusal('forbidden', 'This account is closed.');
    if (!account) throw new Refusal('conflict', 'This username belongs to somebody else.');
    if (!caller.emailVerified) await this.proofs.sendFirst(caller.uid);
    return account;
  }

  async sendProof(caller: Caller): Promise<Record<string, never>> {
    if (!caller.emailVerified) await this.proofs.sendAgain(caller.uid);
    return {};
  }

  async listSessions({ uid, sid }: Caller): Promise<{ items: AccountSession[] }> {
    const sessions = await this.keycloak.sessionsOf(uid).catch(noSessions);
    const latestFirst = sessions.toSorted((one, other) => other.lastAccess - one.lastAccess);
    const browsers = await this.sessions.browsersOf(
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

  async endSession(sid: string, { caller: { uid }, requestId }: Call): Promise<Record<string, never>> {
    const sessions = await this.keycloak.sessionsOf(uid).catch(noSessions);
    if (sessions.some(({ id }) => id === sid)) await this.sessions.noteStart(requestId);
    // A repeated request finds no session if its first attempt ended it. Sessions of other accounts count as
    // unknown.
    else if (!(await this.sessions.isDone(requestId)))
      throw new Refusal('not_found', 'There is no such session.');
    await this.keycloak.endSession(sid).catch(noSessions);
    await this.sessions.announceEnd({ uid, sid, at: new Date().toISOString() });
    return {};
  }

  // Keycloak's event announces the end seconds later. This event takes effect before the caller gets the
  // answer.
  async signOutEverywhere({ uid }: Caller): Promise<Record<string, never>> {
    await this.keycloak.endSessionsOf(uid).catch(noSessions);
    await this.sessions.announceEnd({ uid, sid: null, at: new Date().toISOString() });
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
    return { items: await this.linkChanges.list(uid) };
  }

  async undoLinkChange(token: string, requestId: string | undefined): Promise<UndoneLinkChange> {
    const undone = await this.linkChanges.undo(undoTokenHash(token), requestId);
    if (!undone) throw new Refusal('not_found', 'This link has been used, or has run out.');
    return undone;
  }

  /** Requires a log-in within the last minutes, so that a stranger cannot use an unattended session. */
  async deleteAccount(caller: Caller): Promise<Record<string, never>> {
    if (!hasFreshLogin(caller))
      throw new Refusal('forbidden', 'Log in again first: this takes a fresh log-in.');
    await this.deletions.request(caller);
    return {};
  }
}

const noSessions = asRefusal('Sessions can be neither seen nor ended right now.');
const noFactors = asRefusal('What you log in with cannot be seen right now.');

/** If Keycloak is down, throws a refusal with this text for the user; other errors stay unchanged. */
function asRefusal(words: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof KeycloakUnavailable ? new Refusal('unavailable', words) : error;
  };
}
