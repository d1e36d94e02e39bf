import { creators, limits, offerings, type Visit, type VisitForm, visits } from '@stoa/contracts';
import { makeCaller, makeOffering, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const caller = makeCaller();
const visitsPerDay = 15;
let gateway: GatewayUnderTest;
let replica: Awaited<ReturnType<GatewayUnderTest['addReplica']>>;
let provision: Awaited<ReturnType<GatewayUnderTest['connectAs']>>;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    ownNats: true,
    settings: {
      TRUST_PROXY: '1',
      VISIT_LIMIT_PER_MINUTE: '20',
      VISIT_LIMIT_PER_DAY: String(visitsPerDay),
    },
  });
  replica = await gateway.addReplica();
  await replica.connected();
  provision = await gateway.connectAs('provision');
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(async () => {
  await replica.stop();
  await gateway.stop();
});

const form = (more: Partial<VisitForm> = {}): VisitForm => ({
  id: randomUUID(),
  creatorId: caller.uid,
  kind: 'view',
  ...more,
});
let lastAddress = 0;
const post = (body: unknown, headers: Record<string, string> = {}, url = gateway.url) =>
  fetch(`${url}/api/visits`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': chrome,
      'x-forwarded-for': `192.0.2.${(lastAddress += 1)}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** Returns those of the visits that the stream on NATS contains. */
async function announced(ids: readonly string[]): Promise<Visit[]> {
  const api = async <T>(call: string, body: object = {}) =>
    (
      await provision.request(`$JS.API.STREAM.${call}.VISITS`, JSON.stringify(body), { timeout: 5000 })
    ).json<T>();
  const { state } = await api<{ state: { first_seq: number; last_seq: number } }>('INFO');
  const found: Visit[] = [];
  for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
    const { message } = await api<{ message?: { subject: string; data: string } }>('MSG.GET', { seq });
    if (message?.subject !== visits.counted.subject) continue;
    found.push(...(JSON.parse(Buffer.from(message.data, 'base64').toString()) as { visits: Visit[] }).visits);
  }
  return found.filter(({ id }) => ids.includes(id));
}

test('a visit is published without an address, and 204 means that it is stored [gateway-74]', async () => {
  const visit = form({ kind: 'access', offeringId: randomUUID(), referrer: 'example.org' });
  await waitFor(async () => expect((await post(visit)).status).toBe(204), { timeout: 10_000 });
  const [found] = await announced([visit.id]);
  expect(found).toMatchObject(visit);
  expect(Object.keys(found ?? {}).toSorted()).toEqual(
    ['id', 'creatorId', 'kind', 'offeringId', 'referrer', 'at', 'visitor'].toSorted(),
  );
  expect(JSON.stringify(found)).not.toMatch(/192\.0\.2|Mozilla/);
});

test('a person has one visitor hash per creator, the same at every replica', async () => {
  const from = { 'x-forwarded-for': '198.51.100.7' };
  const [here, there, elsewhere] = [form(), form(), form({ creatorId: randomUUID() })];
  await post(here, from);
  await post(there, from, replica.url);
  await post(elsewhere, from);
  const visitor = async ({ id }: VisitForm) =>
    waitFor(async () => {
      const [found] = await announced([id]);
      if (!found) throw new Error('It is not announced yet.');
      return found.visitor;
    });
  expect(await visitor(there)).toBe(await visitor(here));
  expect(await visitor(elsewhere)).not.toBe(await visitor(here));
});

test.each([
  ['Do Not Track', { dnt: '1' }],
  ['Global Privacy Control', { 'sec-gpc': '1' }],
  ['a program', { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
])('%s gets the same response, and is not counted [gateway-75]', async (_, headers) => {
  const [left, counted] = [form(), form()];
  expect((await post(left, headers)).status).toBe(204);
  await post(counted);
  await waitFor(async () => expect(await announced([counted.id])).toHaveLength(1));
  expect(await announced([left.id])).toEqual([]);
});

test.each([
  ['no id', { id: undefined }],
  ['an unknown kind', { kind: 'look' }],
  ['an address in place of a host', { referrer: 'https://example.org/a?b' }],
  ['a host with an empty label', { referrer: 'a..b' }],
  ['a host without a domain', { referrer: 'other' }],
  ['a host of 253 letters in one label', { referrer: 'a'.repeat(253) }],
  ['a host with a label of 64 letters', { referrer: `${'a'.repeat(64)}.example` }],
  ['a network address in place of a host', { referrer: '192.0.2.1' }],
  ['a host with a hyphen at its end', { referrer: 'a-.example' }],
])('a visit with %s is refused', async (_, wrong) => {
  expect((await post({ ...form(), ...wrong })).status).toBe(400);
});

test('a large body is refused before it is read', async () => {
  expect((await post({ ...form(), more: 'x'.repeat(4000) })).status).toBe(413);
});

test('visits have their own rate limit', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9', dnt: '1' };
  const answers = await Promise.all(Array.from({ length: 25 }, () => post(form(), from)));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  const other = await fetch(`${gateway.url}/api/config`, { headers: from });
  expect(other.status).toBe(200);
});

test('one address counts as a few visitors of a creator, with any number of User-Agents [gateway-76]', async () => {
  const found: Visit[] = [];
  for (let address = 1; address <= 4; address += 1) {
    const seen = Array.from({ length: 15 }, () => form());
    for (const [index, visit] of seen.entries()) {
      const from = { 'x-forwarded-for': `198.18.7.${address}`, 'user-agent': `${chrome} Tab/${index}` };
      expect((await post(visit, from)).status).toBe(204);
    }
    const sent = await waitFor(async () => {
      const some = await announced(seen.map(({ id }) => id));
      if (some.length < seen.length) throw new Error('They are not announced yet.');
      return some;
    });
    const visitors = new Set(sent.map(({ visitor }) => visitor));
    expect(visitors.size).toBeLessThanOrEqual(limits.visitorsPerAddress);
    expect(visitors.size).toBeGreaterThan(1);
    found.push(...sent);
  }
  expect(found).toHaveLength(60);
});

test("one address fills no more than its share of a creator's day [gateway-77]", async () => {
  const from = { 'x-forwarded-for': '198.18.8.1' };
  const creatorId = randomUUID();
  const seen = Array.from({ length: 18 }, (_, index) => form({ creatorId, referrer: `h${index}.example` }));
  for (const visit of seen) expect((await post(visit, from)).status).toBe(204);
  const [other, elsewhere] = [form({ creatorId, referrer: 'a.example' }), form({ referrer: 'b.example' })];
  await post(other);
  await post(elsewhere, from);
  const others = await waitFor(async () => {
    const some = await announced([other.id, elsewhere.id]);
    if (some.length < 2) throw new Error('They are not announced yet.');
    return some;
  });
  for (const { referrer } of others) expect(referrer).toBeDefined();
  const counted = await announced(seen.map(({ id }) => id));
  expect(counted).toHaveLength(visitsPerDay);
  expect(counted.filter(({ referrer }) => referrer !== undefined)).toHaveLength(limits.referrersPerAddress);
});

test('a visit during an outage of NATS is buffered, and counted after it [gateway-78]', async () => {
  const [early, late] = [form(), form()];
  await gateway.loseNats();
  for (const visit of [early, late]) expect((await post(visit)).status).toBe(202);
  await gateway.startNats();
  await waitFor(async () => expect(await announced([early.id, late.id])).toHaveLength(2), {
    timeout: 20_000,
  });
});

const table = async (days = '7') =>
  fetch(`${gateway.url}/api/me/numbers.csv?days=${days}`, {
    headers: { authorization: `Bearer ${await gateway.token(caller)}` },
  });

test('the table for spreadsheets names offerings, and runs no formula [gateway-79]', async () => {
  const offeringId = randomUUID();
  let day = '';
  await services.answerWith(creators.listVisits, ({ to }) => {
    day = to;
    return {
      items: [
        { day: to, kind: 'view', subject: '', count: 5, visitors: 3 },
        { day: to, kind: 'access', subject: offeringId, count: 2, visitors: 2 },
      ],
    };
  });
  const offering = makeOffering({ id: offeringId, creatorId: caller.uid, title: '=1+1' });
  await services.answer(offerings.listOwn, { items: [offering], pinnedId: null, version: 1 });
  const answer = await table();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  // Excel needs the byte order mark to read UTF-8. `text()` would remove it, so the test reads bytes.
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString()).toBe(
    [
      '\ufeffDay (UTC),What,About,Count,Visitors',
      `${day},View,Profile,5,3`,
      `${day},Click on 'Access Now','=1+1,2,2`,
      '',
    ].join('\r\n'),
  );
});

test('without offerings the table names their ids', async () => {
  const subject = randomUUID();
  await services.answerWith(creators.listVisits, ({ to }) => ({
    items: [{ day: to, kind: 'view', subject, count: 1, visitors: 1 }],
  }));
  expect(await (await table()).text()).toContain(subject);
});

test('an invalid number of days is refused', async () => {
  expect((await table('0')).status).toBe(400);
  expect((await table('1000')).status).toBe(400);
});
