import type { Caller } from '@stoa/contracts';
import { randomBytes, randomUUID } from 'node:crypto';

/** A signed-in person as the gateway would present them; each one is somebody else. */
export function aCaller(changes: Partial<Caller> = {}): Caller {
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
    ...changes,
  };
}
