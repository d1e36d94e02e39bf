import { identity } from '@stoa/contracts';
import {
  realmSettings,
  RealmUnderTest,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';

type Answer = { status: number; body: unknown };
type Entry = Record<string, unknown>;

const soon = { timeout: 20_000 };
// The tests send requests through this proxy in front of Keycloak, to change its answers.
let realm: RealmUnderTest;
let proxy: Server;
let service: ServiceUnderTest;
let change: (path: string, answer: Answer) => Answer = (_, answer) => answer;

beforeAll(async () => {
  realm = await RealmUnderTest.open();
  const settings = realmSettings();
  proxy = createServer(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers;
    const body = await buffer(request);
    const answer = await fetch(`${settings['KEYCLOAK_URL']}${request.url}`, {
      method: request.method ?? '',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    const changed = change(request.url ?? '', { status: answer.status, body: text && JSON.parse(text) });
    response.writeHead(changed.status, { 'content-type': 'application/json' });
    response.end(changed.body === '' ? undefined : JSON.stringify(changed.body));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  service = await startServiceUnderTest(IdentityModule, {
    service: 'identity',
    folder: new URL('../../', import.meta.url),
    environment: { ...settings, KEYCLOAK_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
  });
});
afterEach(() => {
  change = (_, answer) => answer;
});
afterAll(async () => {
  await service.stop();
  proxy.closeAllConnections();
  proxy.close();
});

const ended = (sid: string | undefined) =>
  service.events.next(identity.sessionEnded, (facts) => facts.sid === sid);
const withMalformed = (
  path: string,
  isMatch: (entry: Entry) => boolean,
  entry: (entry: Entry) => unknown,
) => {
  change = (url, { status, body }) => {
    if (!url.includes(path) || !Array.isArray(body)) return { status, body };
    return { status, body: (body as Entry[]).map((one) => (isMatch(one) ? entry(one) : one)) };
  };
};

test.each<[about: string, (entry: Entry) => unknown]>([
  ['a detail of another type', (entry) => ({ ...entry, details: { email: null } })],
  ['no type', ({ type: _, ...entry }) => entry],
  ['a numeric user id', (entry) => ({ ...entry, userId: 7 })],
  ['no id', ({ id: _, type: __, ...entry }) => entry],
  ['an invalid time', (entry) => ({ ...entry, time: 'yesterday' })],
  ['a time out of range', (entry) => ({ ...entry, time: 1e300 })],
  ['no content', () => null],
])('an event with %s is set aside, and the next ones are announced', async (_, entry) => {
  const [broken, person] = [await realm.signUp(), await realm.signUp()];
  withMalformed('/events', ({ userId }) => userId === broken.uid, entry);
  await realm.logOut(broken.session);
  await realm.logOut(person.session);
  await ended(person.session.sid);
  const all = service.events.all(identity.sessionEnded);
  expect(all.filter(({ uid }) => uid === broken.uid)).toEqual([]);
});

test('an event with a future date does not hide the next ones', async () => {
  const [ahead, person] = [await realm.signUp(), await realm.signUp()];
  withMalformed(
    '/events',
    ({ userId }) => userId === ahead.uid,
    (entry) => ({ ...entry, time: Date.now() + 10 * 86_400_000 }),
  );
  await realm.logOut(ahead.session);
  await ended(ahead.session.sid);
  await realm.logOut(person.session);
  expect(await ended(person.session.sid)).toMatchObject({ uid: person.uid });
});

test('an administrator’s event about an invalid user is set aside, and the next are announced', async () => {
  const [broken, person] = [await realm.signUp(), await realm.signUp()];
  change = (url, { status, body }) =>
    url.endsWith(`/users/${broken.uid}`)
      ? { status, body: { id: broken.uid, enabled: 'no' } }
      : { status, body };
  await realm.change(broken.uid, { enabled: false });
  await realm.change(person.uid, { enabled: false });
  await service.events.next(identity.sessionEnded, ({ uid }) => uid === person.uid);
  const all = service.events.all(identity.sessionEnded);
  expect(all.filter(({ uid }) => uid === broken.uid)).toEqual([]);
});

test.each(['/events?', '/admin-events?'])(
  'a stream that cannot be read delays no other: %s',
  async (path) => {
    const person = await realm.signUp();
    let refused = 0;
    change = (url, answer) => {
      if (!url.includes(path)) return answer;
      refused += 1;
      return { status: 500, body: {} };
    };
    await waitFor(() => expect(refused).toBeGreaterThan(0), soon);
    if (path === '/events?') await realm.endSession(person.session.sid);
    else await realm.logOut(person.session);
    await ended(person.session.sid);
  },
);
