import { creators, offerings } from '@stoa/contracts';
import { makeCaller, waitFor, makePublicCreator } from '@stoa/testing';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;

// Responses are fresh for a second only, so that the services are needed in each round.
const settings = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  PAGE_LIMIT_PER_MINUTE: '1000000',
  PAGE_PATIENCE_MS: '200',
  READ_TIMEOUT_MS: '2000',
  PUBLIC_READS_FRESH_SECONDS: '1',
  PUBLIC_READS_SAMPLED: '0',
};

beforeAll(async () => {
  webRoot = await makeWebRoot();
  gateway = await startGatewayUnderTest({ webRoot, settings, ownNats: true });
});
afterAll(async () => {
  await gateway.resumeNats();
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const profile = makePublicCreator({ username: 'ama', contactBy: 'form', email: null, bio: 'Rivers.' });

async function timed(path: string, headers: Record<string, string> = {}) {
  const since = performance.now();
  const response = await fetch(gateway.url + path, { headers });
  await response.clone().arrayBuffer();
  return { response, ms: performance.now() - since };
}

test('while NATS hangs cached reads are served, the rest times out, and all recovers', async () => {
  const services = new ServiceStubs(gateway);
  await services.answer(creators.find, profile);
  await services.answer(creators.browse, { items: [], nextCursor: null, total: 0, totalIsExact: true });
  await services.answer(offerings.listPublic, { items: [], pinnedId: null });
  await services.answer(offerings.listOwn, { items: [], pinnedId: null, version: 1 });
  const token = await gateway.token(makeCaller());
  const signedIn = { authorization: `Bearer ${token}` };
  const known = ['/api/creators/ama', '/api/creators/ama/offerings', '/profile/ama', '/browse-creators'];
  for (const path of known) expect((await timed(path)).response.status).toBe(200);
  expect((await timed('/api/me/offerings', signedIn)).response.status).toBe(200);

  const longest = { known: 0, page: 0, call: 0 };
  await gateway.hangNats();
  // Milliseconds: enough for a retried read and a timeout, and then for immediate refusals.
  const until = performance.now() + 8000;
  while (performance.now() < until) {
    const [asked, own, ...reads] = await Promise.all([
      timed(`/profile/nobody-${crypto.randomUUID().slice(0, 8)}`),
      timed('/api/me/offerings', signedIn),
      ...known.map((path) => timed(path)),
    ]);
    expect(reads.map(({ response }) => response.status)).toEqual(known.map(() => 200));
    expect(asked.response.status).toBe(503);
    expect([503, 504]).toContain(own.response.status);
    expect(Number(own.response.headers.get('retry-after'))).toBeGreaterThan(0);
    longest.known = Math.max(longest.known, ...reads.map(({ ms }) => ms));
    longest.page = Math.max(longest.page, asked.ms);
    longest.call = Math.max(longest.call, own.ms);
  }
  expect(Number((await timed('/api/creators/ama')).response.headers.get('age'))).toBeGreaterThan(0);
  // Pages and cached reads must end within two seconds, other requests within five.
  expect(longest.page).toBeLessThan(2000);
  expect(longest.known).toBeLessThan(2000);
  expect(longest.call).toBeLessThan(5000);

  await gateway.resumeNats();
  const since = performance.now();
  await waitFor(async () => expect((await timed('/api/me/offerings', signedIn)).response.status).toBe(200), {
    timeout: 20_000,
  });
  await waitFor(
    async () => expect((await timed('/api/creators/ama')).response.headers.has('age')).toBe(false),
    { timeout: 20_000 },
  );
  const back = performance.now() - since;
  if (process.env['STOA_SHOW_TIMES']) console.log({ ...longest, back });
  await services.leave();
});
