import { contact, creators, identity, limits, media, offerings } from '@stoa/contracts';
import { makeCaller, makePublicCreator, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AccountExportSweeper } from '../src/api/account-export.sweeper.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const caller = makeCaller();
const at = '2026-01-01T00:00:00.000Z';
const id = randomUUID();
let gateway: GatewayUnderTest;
let services: ServiceStubs;
let headers: Record<string, string>;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
  headers = { authorization: `Bearer ${await gateway.token(caller)}` };
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const ask = () => fetch(`${gateway.url}/api/account/export`, { method: 'POST', headers });
const { uid, username, email } = caller;
const account = { uid, username, email, termsAcceptedAt: null, createdAt: at };
const creator = {
  ...makePublicCreator({ uid, username, email }),
  emailVerified: true,
  published: true,
  isPublic: true,
  takenDown: false,
  updatedAt: at,
  version: 7,
};
const list = { items: [], pinnedId: null, version: 1 };
const sessions = {
  items: [
    {
      ...{ id: randomUUID(), startedAt: at, lastAccessAt: at, ipAddress: '192.0.2.1' },
      ...{ browser: 'Chrome on Windows', current: false },
    },
  ],
};
const message = () => ({
  id: randomUUID(),
  name: 'Ama',
  email: 'ama@example.test',
  subject: 'Hello',
  message: 'A question',
  receivedAt: at,
});

const link = () => ({
  ...{ kind: 'payment' as const, label: 'Access Now', url: `https://pay.example.com/${randomUUID()}` },
  ...{ offeringId: randomUUID(), title: 'Letters', failures: 1, finding: 'not_found' as const },
  ...{ failingSince: at, deadSince: null, lookedAt: at },
});

const record = () => ({
  ...{ id: randomUUID(), offering: null, status: 'restored' as const, openedAt: at },
  steps: [{ at, kind: 'hidden' as const, reason: 'fraud' as const, text: 'It asks for passwords.' }],
});
const sale = () => ({
  ...{ id: randomUUID(), offeringId: randomUUID(), provider: 'Stripe', transactionId: randomUUID() },
  ...{ state: 'paid' as const, createdAt: at, keySince: at },
  ...{ uses: 1, lastUsedAt: at, downloads: 20, days: null },
});
const firstReviews = (reviews: ReturnType<typeof record>[]) => ({
  ...{ items: reviews.slice(0, 1), nextCursor: 'second' },
});

const records = {
  identity: async () => {
    await services.answer(identity.listLinkChanges, { items: [] });
    await services.answer(identity.listSessions, sessions);
    return services.answer(identity.open, account);
  },
  creators: () => services.answer(creators.open, { creator, isNew: false }),
  reviews: () => services.answer(creators.listRecords, { items: [], nextCursor: null }),
  offerings: async () => {
    await services.answer(offerings.listSales, { items: [], nextCursor: null });
    return services.answer(offerings.listOwn, list);
  },
  numbers: () => services.answer(creators.listVisits, { items: [] }),
  contact: async () => {
    await services.answer(contact.listCheckedLinks, { items: [], next: null });
    return services.answer(contact.listReceived, { items: [] });
  },
};

async function mediaTakes(delayMs = 0) {
  await services.answer(media.startExport, { id });
  let isMade = false;
  const added = await services.answerSlowly(media.addToExport, delayMs, () => ({}));
  const made = await services.answerWith(media.makeExport, () => {
    isMade = true;
    return {};
  });
  const taken = await services.answerWith(media.takeExport, () => ({
    export: isMade ? null : { id, attempt: 2, caller },
  }));
  return { added: added as { name: string; content: unknown }[], made, taken };
}

const soon = { timeout: 20_000, interval: 50 };
const isMade = (made: unknown[]) => waitFor(() => expect(made).toEqual([{ id, attempt: 2 }]), soon);
/** Makes a stub that returns the page of records after the record with this id. */
const pageAfter =
  <T extends { id: string }>(all: T[], size: number) =>
  (after: string | undefined) => {
    const from = all.findIndex((one) => one.id === after) + 1;
    return all.slice(from, from + size);
  };

test('an export contains the records of each service, with every page of messages and links [gateway-24]', async () => {
  for (const answer of [records.identity, records.creators]) await answer();
  await services.answer(offerings.listOwn, list);
  const count = { day: '2026-01-01', kind: 'view' as const, subject: '', count: 3, visitors: 2 };
  const asked = (await services.answerWith(creators.listVisits, () => ({ items: [count] }))) as {
    from: string;
  }[];
  const messages = Array.from({ length: limits.messagesPage + 1 }, message);
  const received = pageAfter(messages, limits.messagesPage);
  await services.answerWith(contact.listReceived, ({ after }) => ({ items: received(after?.id) }));
  const links = Array.from({ length: limits.checkedLinksPage + 1 }, link);
  const second = randomUUID();
  await services.answerWith(contact.listCheckedLinks, ({ after }) =>
    after === second
      ? { items: links.slice(limits.checkedLinksPage), next: null }
      : { items: links.slice(0, limits.checkedLinksPage), next: second },
  );
  const reviews = [record(), record()];
  await services.answerWith(creators.listRecords, ({ cursor }) =>
    cursor === 'second' ? { items: reviews.slice(1), nextCursor: null } : firstReviews(reviews),
  );
  const sales = [sale(), sale()];
  await services.answerWith(offerings.listSales, ({ cursor }) =>
    cursor === 'second'
      ? { items: sales.slice(1), nextCursor: null }
      : { items: sales.slice(0, 1), nextCursor: 'second' },
  );
  const { added, made } = await mediaTakes();
  expect((await ask()).status).toBe(202);
  await isMade(made);
  const contents = Object.fromEntries(added.map(({ name, content }) => [name, content]));
  expect(contents).toEqual({
    'account.json': account,
    'profile.json': creator,
    'offerings.json': list,
    'sales-1.json': { items: sales.slice(0, 1) },
    'sales-2.json': { items: sales.slice(1) },
    'sessions.json': sessions,
    'link-changes.json': { items: [] },
    ...Object.fromEntries([1, 2, 3, 4, 5].map((part) => [`numbers-${part}.json`, { items: [count] }])),
    'messages-1.json': { items: messages.slice(0, limits.messagesPage) },
    'messages-2.json': { items: messages.slice(limits.messagesPage) },
    'links-1.json': { items: links.slice(0, limits.checkedLinksPage) },
    'links-2.json': { items: links.slice(limits.checkedLinksPage) },
    'reviews-1.json': { items: reviews.slice(0, 1) },
    'reviews-2.json': { items: reviews.slice(1) },
  });
  const days = (Date.now() - Date.parse(asked.at(-1)!.from)) / 86_400_000;
  expect(days).toBeGreaterThan(limits.visitDays);
});

test.each(Object.keys(records) as (keyof typeof records)[])(
  'an export waits during an outage of %s and finishes after it',
  async (away) => {
    for (const [service, answer] of Object.entries(records)) if (service !== away) await answer();
    const { made, taken } = await mediaTakes();
    expect((await ask()).status).toBe(202);
    await waitFor(() => expect(taken.length).toBeGreaterThan(0), soon);
    expect(made).toEqual([]);
    await records[away]();
    gateway.app.get(AccountExportSweeper).wake();
    await isMade(made);
  },
);

test.each(['unavailable', 'timeout', 'internal'] as const)(
  'an export contains a note instead of sessions when the sign-in server answers %s',
  async (code) => {
    await services.refuse(identity.listSessions, code);
    await services.answer(identity.open, account);
    await services.answer(identity.listLinkChanges, { items: [] });
    for (const [service, answer] of Object.entries(records)) if (service !== 'identity') await answer();
    const { added, made, taken } = await mediaTakes();
    expect((await ask()).status).toBe(202);
    await isMade(made);
    expect(taken.length).toBeLessThanOrEqual(2);
    expect(added.filter(({ name }) => name === 'sessions.json')).toEqual([
      {
        ...{ id, attempt: 2, name: 'sessions.json' },
        content: { items: [], note: expect.stringContaining('Your sessions could not be read') as unknown },
      },
    ]);
    expect(added.map(({ name }) => name)).toContain('link-changes.json');
  },
);

test('an export of many records may take longer than the deadline of one request', async () => {
  for (const [service, answer] of Object.entries(records)) if (service !== 'contact') await answer();
  await services.answer(contact.listCheckedLinks, { items: [], next: null });
  const messages = Array.from({ length: 9 * limits.messagesPage + 1 }, message);
  const received = pageAfter(messages, limits.messagesPage);
  await services.answerWith(contact.listReceived, ({ after }) => ({ items: received(after?.id) }));
  const { added, made } = await mediaTakes(350);
  const since = performance.now();
  expect((await ask()).status).toBe(202);
  await waitFor(() => expect(made).toEqual([{ id, attempt: 2 }]), { ...soon, timeout: 45_000 });
  expect(performance.now() - since).toBeGreaterThan(4800);
  expect(added.filter(({ name }) => name.startsWith('messages-'))).toHaveLength(10);
}, 60_000);

test('an export that media refuses reads no records', async () => {
  const read = await records.identity();
  await services.refuse(media.startExport, 'forbidden');
  expect((await ask()).status).toBe(403);
  expect(read).toEqual([]);
});

test('the link of an export is no-store', async () => {
  const answer = { state: 'ready', expiresAt: at, url: 'https://media.example.test/export' };
  await services.answer(media.readExport, answer);
  const response = await fetch(`${gateway.url}/api/account/export`, { headers });
  expect(await response.json()).toEqual(answer);
  expect(response.headers.get('cache-control')).toContain('no-store');
});
