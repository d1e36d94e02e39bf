import { creators, deliveryKeyHeader, identity, offerings } from '@stoa/contracts';
import { makePublicCreator, makeCaller, waitFor } from '@stoa/testing';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const keep = (line: unknown) => {
    if (typeof line === 'object' && line !== null && 'from' in line)
      lines.push(line as Record<string, unknown>);
  };
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(keep);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(keep);
  gateway = await startGatewayUnderTest({ settings: { TRUST_PROXY: '1', DOWNLOAD_LIMIT_PER_MINUTE: '3' } });
  services = new ServiceStubs(gateway);
});
afterEach(async () => {
  await services.leave();
  lines.length = 0;
});
afterAll(() => gateway.stop());

const ask = (
  path: string,
  address: string,
  token?: string,
  method = 'GET',
  more: Record<string, string> = {},
) =>
  fetch(gateway.url + path, {
    method,
    headers: { 'x-forwarded-for': address, ...(token && { authorization: `Bearer ${token}` }), ...more },
  });

async function lineOf(message: string): Promise<Record<string, unknown>> {
  return waitFor(() => {
    const found = lines.find((line) => line['message'] === message);
    if (!found) throw new Error(`no line ${message}`);
    return found;
  });
}

test('authentication failures are logged, with one pseudonym per network [gateway-67]', async () => {
  await ask('/api/me', '192.0.2.1');
  await ask('/api/me/offerings', '192.0.2.1', 'forged');
  await ask('/api/me', '192.0.2.2');
  await waitFor(() => expect(lines).toHaveLength(3));
  expect(lines[0]).toMatchObject({ message: 'access refused', method: 'GET', route: '/api/me', status: 401 });
  expect(lines[0]?.['from']).toBe(lines[1]?.['from']);
  expect(lines[0]?.['from']).not.toBe(lines[2]?.['from']);
});

test('an authorization failure is logged without naming either account [gateway-68]', async () => {
  const caller = makeCaller();
  const id = crypto.randomUUID();
  await services.refuse(offerings.readOwn, 'forbidden');
  await ask(`/api/offerings/${id}`, '192.0.2.3', await gateway.token(caller));
  const line = await lineOf('record refused');
  expect(line).toMatchObject({
    route: '/api/offerings/:id',
    status: 403,
    who: expect.stringMatching(/^[\w-]{12}$/),
  });
  const text = JSON.stringify(line);
  for (const secret of [caller.uid, caller.username, caller.email, id, '192.0.2.3'])
    expect(text).not.toContain(secret);
});

test('a wrong delivery key and its rate limit are logged without the key [gateway-69]', async () => {
  await services.refuse(offerings.download, 'not_found');
  const path = `/api/downloads/${crypto.randomUUID()}/${crypto.randomUUID()}`;
  const key = { [deliveryKeyHeader]: 'k'.repeat(32) };
  for (let guess = 0; guess < 4; guess += 1) await ask(path, '192.0.2.4', undefined, 'GET', key);
  await lineOf('key refused');
  await lineOf('too many requests');
  expect(JSON.stringify(lines)).not.toContain('kkk');
});

test('a request for the seller of an unknown offering is logged without its ids', async () => {
  await services.refuse(offerings.findSeller, 'not_found');
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  await ask(`/api/downloads/${ids.join('/')}/seller`, '192.0.2.8');
  const line = await lineOf('record refused');
  expect(line).toMatchObject({ route: '/api/downloads/:creatorId/:offeringId/seller', status: 404 });
  for (const secret of [...ids, '192.0.2.8']) expect(JSON.stringify(line)).not.toContain(secret);
});

test('a log-in is logged [gateway-70]', async () => {
  await services.refuse(identity.open, 'unavailable');
  const caller = makeCaller();
  const { uid, username, displayName, email } = caller;
  const creator = {
    ...makePublicCreator({ uid, username, displayName, email }),
    ...{ emailVerified: true, published: true, isPublic: true, takenDown: false },
    updatedAt: new Date().toISOString(),
    version: 1,
  };
  await services.answer(creators.open, { creator, isNew: true });
  expect((await ask('/api/session', '192.0.2.5', await gateway.token(caller), 'POST')).ok).toBe(true);
  expect(await lineOf('session opened')).toMatchObject({ who: expect.stringMatching(/^[\w-]{12}$/) });
});

test('a successful request is not in the security log', async () => {
  await ask('/api/config', '192.0.2.6');
  await ask('/api/none', '192.0.2.6');
  await ask('/api/me', '192.0.2.7');
  await lineOf('access refused');
  expect(lines).toHaveLength(1);
});
