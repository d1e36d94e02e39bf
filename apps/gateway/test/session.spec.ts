import { type Creator, creators, identity, limits } from '@stoa/contracts';
import { makePublicCreator, makeCaller, waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

async function open(more: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${await gateway.token(makeCaller())}`;
  return fetch(`${gateway.url}/api/session`, { method: 'POST', headers: { authorization, ...more } });
}

// If the gateway does not handle a rejection, the process ends and the test run fails.
test('a refused account is 409, and the gateway keeps running', async () => {
  await services.refuse(identity.open, 'conflict');
  await services.refuse(creators.open, 'conflict');
  expect((await open()).status).toBe(409);
  expect((await fetch(`${gateway.url}/api/config`)).status).toBe(200);
});

test('a sign-up is 201, a log-in 200', async () => {
  const caller = makeCaller();
  const { uid, username, email } = caller;
  const now = new Date().toISOString();
  const account = { uid, username, email, termsAcceptedAt: null, createdAt: now };
  const asked = await services.answer(identity.open, account);
  const creator: Creator = {
    ...makePublicCreator({ uid, username, displayName: 'Marta', createdAt: now }),
    email,
    emailVerified: false,
    published: true,
    isPublic: true,
    takenDown: false,
    updatedAt: now,
    version: 4,
  };
  const opened = [true, false].map((isNew) => ({ creator, isNew }));
  await services.answerWith(creators.open, () => opened.shift() ?? {});
  for (const status of [201, 200]) {
    const answer = await open();
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(creator);
  }
  // Identity gets the name of the profile, because the token contains only the name at the sign-up.
  const profile = { displayName: 'Marta', version: 4 };
  expect(asked).toEqual([expect.objectContaining({ profile }), expect.objectContaining({ profile })]);
});

test('identity is called without the name when creators is slow', async () => {
  const asked = await services.answer(identity.open, {});
  const answered = Promise.withResolvers<object>();
  await services.answerWith(creators.open, () => answered.promise);
  const opening = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]).not.toHaveProperty('profile');
  answered.resolve({});
  await opening;
});

test.each([
  ['of a browser', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['that is too long', `Mozilla/5.0 ${'x'.repeat(10_000)}`],
  ['with bytes that are not ASCII', 'Br\u00f6wser/1.0 <b>(x)</b>'],
])('identity receives the beginning of a User-Agent %s', async (_, userAgent) => {
  await services.refuse(creators.open, 'conflict');
  const asked = await services.answerWith(identity.open, () => ({
    uid: crypto.randomUUID(),
    username: 'ada',
    email: 'ada@example.test',
    termsAcceptedAt: null,
    createdAt: new Date().toISOString(),
  }));
  const answer = await open({ 'user-agent': userAgent });
  expect(answer.status).toBe(409);
  expect(asked).toEqual([{ userAgent: userAgent.slice(0, limits.userAgentLength) }]);
});

test('a forbidden username is 400', async () => {
  await services.answer(identity.open, {
    uid: crypto.randomUUID(),
    username: 'admin',
    email: 'a@example.test',
    termsAcceptedAt: null,
    createdAt: new Date().toISOString(),
  });
  await services.refuse(creators.open, 'invalid_input');
  expect((await open()).status).toBe(400);
});
