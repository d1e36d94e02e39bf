import { Caller } from '@stoa/contracts';
import { randomBytes, randomUUID } from 'node:crypto';
import { header } from '@stoa/messaging';
import type { Msg } from '@nats-io/transport-node';

/** A new caller with a recent log-in, as the gateway would send it. Each call returns another user. */
export function makeCaller(changes: Partial<Caller> = {}): Caller {
  const uid = randomUUID();
  const username = `creator-${uid.slice(0, 8)}`;
  // Rounds to whole seconds, like the times in tokens.
  const now = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  return {
    uid,
    sid: randomBytes(18).toString('base64url'),
    username,
    email: `${username}@example.test`,
    emailVerified: true,
    displayName: `Creator ${uid.slice(0, 8)}`,
    termsAcceptedAt: '2026-01-01T00:00:00.000Z',
    tokenIssuedAt: now,
    authenticatedAt: now,
    isOperator: false,
    ...changes,
  };
}

/** A new operator with a recent log-in. */
export const makeOperatorCaller = (changes: Partial<Caller> = {}): Caller =>
  makeCaller({ isOperator: true, authenticatedAt: new Date().toISOString(), ...changes });

/** The caller in the headers of a message from the gateway under test; null for a visitor. */
export function callerOf({ headers }: Msg): Caller | null {
  const sent = headers?.get(header.caller);
  return sent ? Caller.parse(JSON.parse(sent)) : null;
}
