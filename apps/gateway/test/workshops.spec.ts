import { creators, offerings, type PublicOffering } from '@stoa/contracts';
import { makePublicCreator, makePublicOffering, waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  webRoot = await makeWebRoot();
  gateway = await startGatewayUnderTest({ webRoot, settings: { PUBLIC_READS_SAMPLED: '0' } });
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const paymentUrl = 'https://pay.example.com/x';

/** The answer of the offerings service for a workshop that ends at this time. */
function workshopUntil(end: number, creatorId: string): PublicOffering {
  const ended = Date.now() >= end;
  return makePublicOffering({
    ...{ id: crypto.randomUUID(), creatorId, title: 'Linocut', slug: 'linocut' },
    ...{ type: 'Workshop', seats: 12 },
    paymentUrl: ended ? '' : paymentUrl,
    schedule: {
      startsAt: new Date(end - 3_600_000).toISOString(),
      endsAt: new Date(end).toISOString(),
      timeZone: 'Africa/Johannesburg',
      ended,
      text: 'Tuesday, 3 December 2030, 18:00–19:00 (Africa/Johannesburg)',
    },
  });
}

test('the end of a workshop shows in every response without an event [gateway-81]', async () => {
  let end = Date.now() + 3_600_000;
  const known = ['ada', 'lino'].map((username) => makePublicCreator({ username }));
  await services.answerWith(creators.find, ({ username }) => known.find((one) => one.username === username)!);
  const lists = await services.answerWith(offerings.listPublic, ({ creatorId }) => ({
    items: [workshopUntil(end, creatorId)],
    pinnedId: null,
  }));
  const found = await services.answerWith(offerings.findPublic, ({ creatorId }) =>
    workshopUntil(end, creatorId),
  );
  const read = async (path: string) => (await fetch(gateway.url + path)).text();
  const addressesOf = (username: string) => [
    `/api/creators/${username}/offerings`,
    `/api/creators/${username}/offerings/linocut`,
    `/profile/${username}`,
    `/profile/${username}/linocut`,
  ];
  const readTwice = async (username: string) => {
    for (const address of addressesOf(username)) {
      expect(await read(address)).toContain(paymentUrl);
      expect(await read(address)).toContain(paymentUrl);
    }
  };
  const begun = Date.now();
  await readTwice('ada');
  expect([lists.length, found.length]).toEqual([1, 1]);
  // A slow machine gets more time, so that all reads precede the end. Without an end, responses stay fresh for 5 min.
  end = Date.now() + 2000 + 4 * (Date.now() - begun);
  await readTwice('lino');
  expect([lists.length, found.length]).toEqual([2, 2]);

  const addresses = addressesOf('lino');
  await waitFor(
    async () => {
      expect(await read(addresses[0]!)).not.toContain(paymentUrl);
    },
    { timeout: end - Date.now() + 30_000 },
  );
  expect(Date.now()).toBeGreaterThanOrEqual(end);
  for (const address of addresses) {
    const text = await read(address);
    expect(text).not.toContain(paymentUrl);
    expect(text).toMatch(/ended(&quot;|")?:true/);
  }
  // The workshop has ended, so the new responses do not expire and are cached.
  const asked = [lists.length, found.length];
  for (const address of addresses) await read(address);
  expect([lists.length, found.length]).toEqual(asked);
});

test('a workshop with a date has a calendar file that is cached like its page [gateway-82]', async () => {
  const creator = makePublicCreator({ username: 'cal' });
  const workshop = workshopUntil(Date.now() + 3_600_000, creator.uid);
  await services.answer(creators.find, creator);
  await services.answerWith(offerings.findPublic, ({ slug }) => ({
    ...workshop,
    ...(slug === 'ink' && { slug, schedule: null }),
  }));
  const address = `${gateway.url}/profile/cal/linocut/event.ics`;
  await (await fetch(address)).text();
  // The second response comes from the cache.
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="workshop.ics"');
  expect(response.headers.get('etag')).not.toBeNull();
  const text = await response.text();
  expect(text).toContain(`UID:${workshop.id}@localhost\r\n`);
  expect(text).toContain('SUMMARY:Linocut\r\n');
  expect((await fetch(`${gateway.url}/profile/cal/ink/event.ics`)).status).toBe(404);
});
