import { identity } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  announcementsOfAdminEvent,
  announcementsOfUserEvent,
  ownerChangeOf,
  userEventTypes,
} from './account-changes.ts';
import type { AdminEvent, RealmUser } from '../keycloak/keycloak.client.ts';

const uid = randomUUID();
const sid = 'PL4K2bIyVkLRBUeXgZjR-v6T';
const time = Date.parse('2026-11-22T09:30:00.152Z');
const at = '2026-11-22T09:30:00.152Z';

const byUser = (type: string, details: Record<string, string> = {}) =>
  announcementsOfUserEvent({ id: randomUUID(), time, type, userId: uid, sessionId: sid, details });

const byAdmin = (
  operationType: string,
  resourcePath: string,
  { resourceType = 'USER', user = null }: { resourceType?: string; user?: RealmUser | null } = {},
) => {
  const event: AdminEvent = { id: randomUUID(), time, operationType, resourceType, resourcePath };
  return announcementsOfAdminEvent(event, async (id) => (id === uid ? user : null));
};

const aUser = (changes: Partial<RealmUser>): RealmUser => ({
  id: uid,
  email: 'ada@example.test',
  emailVerified: false,
  enabled: true,
  ...changes,
});

const everySession = { event: identity.sessionEnded, facts: { uid, sid: null, at } };
const closed = [everySession, { event: identity.closed, facts: { uid, at } }];

test('a log-out and a revoked token end their session', () => {
  const ended = [{ event: identity.sessionEnded, facts: { uid, sid, at } }];
  expect(byUser('LOGOUT')).toEqual(ended);
  expect(byUser('REVOKE_GRANT')).toEqual(ended);
});

test('deleting an account, by its owner or an administrator, closes it and ends its sessions', async () => {
  expect(byUser('DELETE_ACCOUNT')).toEqual(closed);
  expect(await byAdmin('DELETE', `users/${uid}`)).toEqual(closed);
});

test('a new password and a verified new address are changes that the former owner can undo', () => {
  const change = (type: string, details = {}, userId: string | undefined = uid) =>
    ownerChangeOf({ id: randomUUID(), time, type, ...(userId && { userId }), details });
  const moved = { previous_email: 'Ada@example.test', updated_email: 'eve@example.test' };
  expect(change('UPDATE_PASSWORD')).toEqual({ uid, kind: 'password', at: new Date(time) });
  expect(change('UPDATE_EMAIL', moved)).toEqual({
    ...{ uid, kind: 'email', at: new Date(time) },
    ...{ from: 'ada@example.test', to: 'eve@example.test' },
  });
  expect(change('UPDATE_EMAIL', { ...moved, updated_email: 'ada@EXAMPLE.test' })).toBeUndefined();
  expect(change('UPDATE_EMAIL')).toBeUndefined();
  expect(change('UPDATE_PASSWORD', {}, 'not an id')).toBeUndefined();
  for (const type of ['LOGOUT', 'VERIFY_EMAIL']) expect(change(type, moved)).toBeUndefined();
});

test('a changed address revokes earlier tokens, which contain the old one', () => {
  // The sessions continue, so the service must keep their recorded browsers.
  expect(byUser('UPDATE_EMAIL')).toEqual([{ ...everySession, sessionsContinue: true }]);
});

test('a new password set by the user or an administrator is published', async () => {
  const changed = [{ event: identity.passwordChanged, facts: { uid, at } }];
  expect(byUser('UPDATE_PASSWORD')).toEqual(changed);
  expect(await byAdmin('ACTION', `users/${uid}/reset-password`)).toEqual(changed);
});

test('an address verified by the user or an administrator is published', async () => {
  const verified = [{ event: identity.emailVerified, facts: { uid, email: 'ada@example.test', at } }];
  expect(byUser('VERIFY_EMAIL', { email: 'ada@example.test' })).toEqual(verified);
  const user = aUser({ emailVerified: true });
  expect(await byAdmin('UPDATE', `users/${uid}`, { user })).toEqual(verified);
});

test('disabling a user ends every session, any other change none', async () => {
  const disabled = await byAdmin('UPDATE', `users/${uid}`, { user: aUser({ enabled: false }) });
  expect(disabled).toEqual([everySession]);
  expect(await byAdmin('UPDATE', `users/${uid}`, { user: aUser({}) })).toEqual([]);
  expect(await byAdmin('UPDATE', `users/${uid}`, { user: null })).toEqual([]);
});

test('an administrator can end one session, those of a user, or all', async () => {
  expect(await byAdmin('ACTION', `users/${uid}/logout`)).toEqual([everySession]);
  expect(await byAdmin('DELETE', `sessions/${sid}`, { resourceType: 'USER_SESSION' })).toEqual([
    { event: identity.sessionEnded, facts: { uid: null, sid, at } },
  ]);
  expect(await byAdmin('ACTION', 'logout-all', { resourceType: 'REALM' })).toEqual([
    { event: identity.sessionEnded, facts: { uid: null, sid: null, at } },
  ]);
});

test('an event about a part of a user is no event about the user', async () => {
  const parts = ['role-mappings/clients/1', 'credentials/2', 'federated-identity/x'];
  for (const part of parts) expect(await byAdmin('DELETE', `users/${uid}/${part}`)).toEqual([]);
  expect(await byAdmin('UPDATE', 'users/profile')).toEqual([]);
});

test('the realm records every event that identity reads', () => {
  const file = new URL('../../../../deploy/keycloak/realm.json', import.meta.url);
  const realm = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(realm).toMatchObject({
    eventsEnabled: true,
    adminEventsEnabled: true,
    // Keycloak must not store the details of a change, because they may be personal data.
    adminEventsDetailsEnabled: false,
  });
  expect(realm['enabledEventTypes']).toEqual(expect.arrayContaining([...userEventTypes]));
});
