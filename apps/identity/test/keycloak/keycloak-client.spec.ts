import { withBudget } from '@stoa/messaging';
import { realmSettings, RealmUnderTest } from '@stoa/testing';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { IdentityConfig } from '../../src/identity.config.ts';
import { KeycloakClient } from '../../src/keycloak/keycloak.client.ts';

type Answers = Parameters<RequestListener>;

// The tests send requests through this proxy in front of Keycloak, to delay or change answers.
let realm: RealmUnderTest;
let proxy: Server;
let client: KeycloakClient;
let intercept: (...answers: Answers) => boolean;
const requests: string[] = [];

beforeAll(async () => {
  realm = await RealmUnderTest.open();
});
beforeEach(async () => {
  const settings = realmSettings();
  intercept = () => false;
  requests.length = 0;
  proxy = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!intercept(request, response)) void forward(settings['KEYCLOAK_URL'] ?? '', [request, response]);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const KEYCLOAK_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  client = new KeycloakClient({ ...settings, KEYCLOAK_URL } as IdentityConfig);
});
afterEach(() => {
  proxy.closeAllConnections();
  proxy.close();
});

async function forward(to: string, [request, response]: Answers): Promise<void> {
  const { authorization, 'content-type': type } = request.headers;
  const body = await buffer(request);
  const answer = await fetch(`${to}${request.url}`, {
    method: request.method ?? '',
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(body.length > 0 && { body }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(answer.status === 204 ? undefined : await answer.text());
}

const tokens = () => requests.filter((one) => one.endsWith('/token'));

test('one token serves several requests, and is replaced once when Keycloak refuses it', async () => {
  const { uid, email } = await realm.signUp();
  await client.findUser(uid);
  await expect(client.findByEmail(email)).resolves.toMatchObject({ id: uid });
  expect(tokens()).toHaveLength(1);

  let refusals = 1;
  intercept = ({ url }, response) => {
    if (url?.endsWith('/token') || refusals-- < 1) return false;
    response.writeHead(401).end();
    return true;
  };
  await expect(client.sessionsOf(uid)).resolves.toHaveLength(1);
  expect(tokens()).toHaveLength(2);

  refusals = 2;
  await expect(client.sessionsOf(uid)).rejects.toMatchObject({ name: 'Error', outcomeUnknown: false });
});

test('a call to a hung Keycloak ends with the deadline of its request', async () => {
  const { uid } = await realm.signUp();
  await client.findUser(uid);
  intercept = () => true;
  const since = performance.now();
  const asking = withBudget(0, () => client.findUser(uid), 300);
  await expect(asking).rejects.toMatchObject({ outcomeUnknown: true });
  // Shorter than the client's own timeout of 3 s, so the caller's remaining time must have ended the call.
  expect(performance.now() - since).toBeLessThan(2000);
  const late = withBudget(400, () => client.findUser(uid), 300);
  await expect(late).rejects.toMatchObject({ code: 'timeout' });
  intercept = () => false;
  await expect(client.findUser(uid)).resolves.toMatchObject({ id: uid });
});

test('unknown ids are no errors, and an error message contains no account id', async () => {
  const gone = '00000000-0000-4000-8000-000000000000';
  await expect(client.findUser(gone)).resolves.toBeNull();
  await expect(client.sessionsOf(gone)).resolves.toEqual([]);
  await expect(client.endSessionsOf(gone)).resolves.toBeUndefined();
  await expect(client.endSession(gone)).resolves.toBeUndefined();
  await expect(client.setVerifiedEmail(gone, 'nobody@example.test')).resolves.toBeUndefined();
  const error = await client.sendProof(gone).catch(String);
  expect(error).toContain('/admin/realms/stoa/users/…/');
  expect(error).toContain('404');
  expect(error).not.toContain(gone);
});

test('events arrive in the order of their occurrence', async () => {
  const from = Date.now() - 1000;
  const person = await realm.signUp();
  await realm.logOut(person.session);
  const events = await client.userEvents(['REGISTER', 'LOGOUT'], { from, first: 0, max: 1000 });
  const theirs = events.flatMap((event) =>
    'userId' in event && event.userId === person.uid ? event.type : [],
  );
  expect(theirs).toEqual(['REGISTER', 'LOGOUT']);
});

test('a missing answer means an unknown outcome', async () => {
  intercept = ({ url }) => !url?.endsWith('/token');
  await expect(client.endSessionsOf('anybody')).rejects.toMatchObject({ outcomeUnknown: true });
});

test('an internationalised domain is restored and found in ASCII', async () => {
  const { uid, username } = await realm.signUp();
  await client.setVerifiedEmail(uid, `${username}@b\u00fccher.example`);
  const email = `${username}@xn--bcher-kva.example`;
  expect(await realm.find(uid)).toMatchObject({ email, emailVerified: true });
  await expect(client.findByEmail(`${username}@b\u00fccher.example`)).resolves.toMatchObject({ id: uid });
});
