import { type Caller, creators, type EndedSession, identity } from '@stoa/contracts';
import { type connectBus, EventPublisher } from '@stoa/messaging';
import { makeCaller, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let one: GatewayUnderTest;
let two: Awaited<ReturnType<GatewayUnderTest['addReplica']>>;
let services: ServiceStubs;
let announcer: Awaited<ReturnType<typeof connectBus>>;

beforeAll(async () => {
  one = await startGatewayUnderTest();
  two = await one.addReplica();
  services = new ServiceStubs(one);
  await services.refuse(creators.readOwn, 'not_found');
  announcer = await one.connectAs('identity');
});
afterAll(async () => {
  await services.leave();
  await announcer.close();
  await two.stop();
  await one.stop();
});

/** Publishes an event as identity does, and waits until NATS has stored it. */
const announce = (facts: EndedSession) =>
  new EventPublisher(announcer).publish({
    id: randomUUID(),
    subject: identity.sessionEnded.subject,
    payload: JSON.stringify(facts),
    headers: {},
  });

const ask = async ({ url }: { url: string }, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await fetch(`${url}/api/me`, { headers });
  await body?.cancel();
  return status;
};
const tokenOf = (caller: Caller, ageSeconds = 10) =>
  one.token(caller, { iat: Math.floor(Date.now() / 1000) - ageSeconds });
const untilRefused = (gateway: { url: string }, token: string) =>
  waitFor(async () => expect(await ask(gateway, token)).toBe(401), { timeout: 15_000, interval: 50 });

test('the tokens of an ended session are refused, those of others accepted [gateway-34]', async () => {
  const caller = makeCaller();
  const [ended, other] = await Promise.all([tokenOf(caller), tokenOf({ ...caller, sid: makeCaller().sid })]);
  for (const gateway of [one, two]) expect(await ask(gateway, ended)).toBe(404);
  await announce({ uid: caller.uid, sid: caller.sid, at: new Date().toISOString() });
  for (const gateway of [one, two]) {
    await untilRefused(gateway, ended);
    expect(await ask(gateway, other)).toBe(404);
  }
});

test('after signing out everywhere only tokens issued afterwards are accepted [gateway-35]', async () => {
  const caller = makeCaller();
  const before = await tokenOf(caller);
  await announce({ uid: caller.uid, sid: null, at: new Date(Date.now() - 5000).toISOString() });
  for (const gateway of [one, two]) {
    await untilRefused(gateway, before);
    expect(await ask(gateway, await tokenOf(caller, 0))).toBe(404);
    expect(await ask(gateway, await tokenOf(makeCaller()))).toBe(404);
  }
});

test('a gateway refuses sessions that ended before its start [gateway-36]', async () => {
  const caller = makeCaller();
  await announce({ uid: caller.uid, sid: caller.sid, at: new Date().toISOString() });
  const three = await one.addReplica();
  expect(await ask(three, await tokenOf(caller))).toBe(401);
  expect(await ask(three, await tokenOf(makeCaller()))).toBe(404);
  await three.stop();
});

test('a token without a session id is refused', async () => {
  expect(await ask(one, await one.token(makeCaller(), { sid: undefined }))).toBe(401);
});
