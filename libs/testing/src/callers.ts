import type { Caller } from '@stoa/contracts';
import { randomBytes, randomUUID } from 'node:crypto';
import { RequestSigner, RequestVerifier, signedHeader } from '@stoa/messaging';
import type { Msg } from '@nats-io/transport-node';
import { makeRequestKeys } from '@stoa/system';

/** Somebody who has just logged in, as the gateway would present them; each one is somebody else. */
export function makeCaller(changes: Partial<Caller> = {}): Caller {
  const uid = randomUUID();
  const username = `creator-${uid.slice(0, 8)}`;
  return {
    uid,
    sid: randomBytes(18).toString('base64url'),
    username,
    email: `${username}@example.test`,
    emailVerified: true,
    displayName: `Creator ${uid.slice(0, 8)}`,
    termsAcceptedAt: '2026-01-01T00:00:00.000Z',
    // As a token says it, in whole seconds.
    authenticatedAt: new Date(Math.floor(Date.now() / 1000) * 1000).toISOString(),
    ...changes,
  };
}

/** Somebody who may decide about reports, and has just logged in. */
export const makeOperatorCaller = (changes: Partial<Caller> = {}): Caller =>
  makeCaller({ isOperator: true, authenticatedAt: new Date().toISOString(), ...changes });

/** The key pair of this test run: what is signed with it, services under test take as the gateway's. */
export const requestKeys = makeRequestKeys();
export const requestSigner = new RequestSigner(requestKeys.signingKey);

const verifier = new RequestVerifier(requestKeys.publicKeys);

/** On whose behalf the gateway under test sent `message`; null for a visitor. May be asked once for each message. */
export function callerOf(message: Msg): Promise<Caller | null> {
  return verifier.verify(message.headers?.get(signedHeader) ?? '', message.subject, message.data);
}
