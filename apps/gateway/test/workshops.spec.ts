import { creators, offerings, type PublicOffering } from '@stoa/contracts';
import { makePublicCreator, waitFor } from '@stoa/testing';
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

/** As offerings answers it, for a workshop that ends at that time. */
function workshopUntil(end: number, creatorId: string): PublicOffering {
  const ended = Date.now() >= end;
  return {
    ...{ id: crypto.randomUUID(), creatorId, title: 'Linocut', description: '', price: 'R150' },
    ...{ type: 'Workshop', state: 'published', coverImage: null, slug: 'linocut', seats: 12 },
    createdAt: '2026-01-01T00:00:00.000Z',
    publishedAt: null,
    paymentUrl: ended ? '' : paymentUrl,
    schedule: {
      startsAt: new Date(end - 3_600_000).toISOString(),
      endsAt: new Date(end).toISOString(),
      timeZone: 'Africa/Johannesburg',
      ended,
      text: 'Tuesday, 3 December 2030, 18:00–19:00 (Africa/Johannesburg)',
    },
  };
}

test('an end shows in every answer from its moment on, without an event', async () => {
  let end = Date.now() + 3_600_000;
  const known = ['ada', 'lino'].map((username) => makePublicCreator({ username }));
  await services.work(creators.find, ({ username }) => known.find((one) => one.username === username)!);
  const lists = await services.work(offerings.listPublic, ({ creatorId }) => ({
    items: [workshopUntil(end, creatorId)],
  }));
  const found = await services.work(offerings.findPublic, ({ creatorId }) => workshopUntil(end, creatorId));
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
  // Long enough to be read before, however busy the machine is: what is kept would count for five minutes.
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
  // Kept again: nothing is to end any more.
  const asked = [lists.length, found.length];
  for (const address of addresses) await read(address);
  expect([lists.length, found.length]).toEqual(asked);
});

test('a workshop is an event for calendars, kept as its page is, and what has no date is none', async () => {
  const creator = makePublicCreator({ username: 'cal' });
  const workshop = workshopUntil(Date.now() + 3_600_000, creator.uid);
  await services.answer(creators.find, creator);
  await services.work(offerings.findPublic, ({ slug }) => ({
    ...workshop,
    ...(slug === 'ink' && { slug, schedule: null }),
  }));
  const address = `${gateway.url}/profile/cal/linocut/event.ics`;
  await (await fetch(address)).text();
  // From memory it is the same.
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
