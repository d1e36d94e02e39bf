import { limitsSubject } from '@stoa/platform';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@stoa/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

const limit = 20;
const hourly = 20;
let gateway: GatewayUnderTest;
let replica: { url: string; stop: () => Promise<void> };

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    settings: {
      TRUST_PROXY: '1',
      RATE_LIMIT_PER_MINUTE: String(limit),
      PAGE_LIMIT_PER_MINUTE: String(limit),
      REPORT_LIMIT_PER_HOUR: String(hourly),
    },
  });
  replica = await gateway.addReplica();
});
afterAll(async () => {
  await replica.stop();
  await gateway.stop();
});

const ask = (url: string, address: string, path = '/api/config', headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers: { 'x-forwarded-for': address, ...headers } });

async function statuses(times: number, asking: () => Promise<Response>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, asking));
  await Promise.all(answers.map(({ body }) => body?.cancel()));
  return answers.map(({ status }) => status);
}

test('the rate limit of an address is shared between replicas [gateway-57]', async () => {
  const address = '192.0.2.1';
  expect(await statuses(limit, () => ask(gateway.url, address))).not.toContain(429);
  await waitFor(async () => expect((await ask(replica.url, address)).status).toBe(429), { timeout: 3000 });
  expect((await ask(replica.url, '192.0.2.2')).status).toBe(200);
});

test('addresses of one IPv6 /64 share a rate limit, over both replicas [gateway-58]', async () => {
  let last = 0;
  const next = () => `2001:db8:0:7::${(last += 1).toString(16)}`;
  await statuses(limit / 2, () => ask(gateway.url, next()));
  await waitFor(async () => expect(await statuses(limit, () => ask(replica.url, next()))).toContain(429), {
    timeout: 3000,
  });
  expect((await ask(replica.url, '2001:db8:0:8::1')).status).toBe(200);
});

test.each([
  ['a page', '/about'],
  ['an unknown file', '/assets/none.js'],
  ['the API document', '/api/openapi.json'],
  ['an unknown address of the API', '/api/none'],
] as const)('%s counts towards the rate limit', async (what, path) => {
  const address = `2001:db8:1:${what.length.toString(16)}::1`;
  const answered = await statuses(limit + 5, () => ask(gateway.url, address, path));
  // At least three, because the limit may refill by one during the requests.
  expect(answered.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
});

test('429 has Retry-After', async () => {
  const address = '192.0.2.3';
  await statuses(limit + 1, () => ask(gateway.url, address));
  const refused = await ask(gateway.url, address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
});

test('addresses are shared between replicas only as keyed hashes', async () => {
  const listener = await gateway.connectAs('gateway');
  const messages: string[] = [];
  listener.subscribe(limitsSubject('gateway'), {
    callback: (_, message) => void messages.push(message.string()),
  });
  await listener.flush();
  await ask(gateway.url, '192.0.2.77');
  await waitFor(() => expect(messages.join()).toContain('"api"'), { timeout: 3000 });
  expect(messages.join()).not.toContain('192.0.2');
  await listener.close();
});

test('a new replica receives the hourly counts of an address from the others', async () => {
  const path = '/api/reports';
  const report = (url: string) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'x-forwarded-for': '192.0.2.99' } });
  expect(await statuses(hourly, () => report(gateway.url))).not.toContain(429);
  const listener = await gateway.connectAs('gateway');
  const messages: string[] = [];
  listener.subscribe(limitsSubject('gateway'), {
    callback: (_, message) => void messages.push(message.string()),
  });
  await listener.flush();
  const started = await gateway.addReplica();
  await waitFor(() => expect(messages.join()).toContain('"debts":[["report"'), { timeout: 3000 });
  expect(await statuses(hourly / 2, () => report(started.url))).toContain(429);
  await listener.close();
  await started.stop();
});

test('a malformed message of another replica is ignored', async () => {
  const sender = await gateway.connectAs('gateway');
  for (const nonsense of ['', '{', '{"from":1}', '{"from":"x","spent":[["api"]]}', '[]'])
    sender.publish(limitsSubject('gateway'), nonsense);
  await sender.flush();
  await sender.close();
  expect((await ask(gateway.url, '192.0.2.4')).status).toBe(200);
});
