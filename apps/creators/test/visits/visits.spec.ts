import { creators, identity, limits, offerings, type Visit, visits } from '@stoa/contracts';
import { adminUrlOf, makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { VisitsService } from '../../src/visits/visits.service.ts';
import { makeCreatorOf, startCreators } from '../creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

const dayMs = 24 * 60 * 60 * 1000;
const makeVisitor = () => randomBytes(17).toString('base64url').slice(0, 22);
const visit = (creatorId: string, more: Partial<Visit> = {}): Visit => ({
  id: randomUUID(),
  creatorId,
  kind: 'view',
  at: new Date().toISOString(),
  visitor: makeVisitor(),
  ...more,
});
const announce = (some: Visit[], id?: string) => service.announce(visits.counted, { visits: some }, id);
const numbers = (caller: ReturnType<typeof makeCaller>, days = 7) =>
  service.ask(creators.readNumbers, { days }, caller);
const query = (sql: string, values: unknown[]) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rowCount);
const rowsOf = (table: string, creatorId: string) =>
  query(`SELECT 1 FROM ${table} WHERE creator_id = $1`, [creatorId]);

/** Creates a public offering of this creator, and returns its id. */
async function anOffering(uid: string): Promise<string> {
  const offeringId = randomUUID();
  const listing = { uid, offeringId, title: 'Letters', version: 1, links: [], isPublic: true };
  await service.announce(offerings.linksListed, listing);
  const listed = () => query('SELECT 1 FROM offering_title WHERE offering_id = $1', [offeringId]);
  await waitFor(async () => expect(await listed()).toBe(1), { timeout: 10_000 });
  return offeringId;
}

/** Waits until all visits published so far are counted, by publishing one more. */
async function counted() {
  const marker = await makeCreatorOf(service);
  await announce([visit(marker.uid)]);
  await waitFor(async () => expect((await numbers(marker)).totals.views).toBe(1), { timeout: 10_000 });
}

test('views, clicks and downloads are counted by day, offering and host [creators-40]', async () => {
  const caller = await makeCreatorOf(service);
  const { uid } = caller;
  const offeringId = await anOffering(uid);
  const visitor = makeVisitor();
  await announce([
    visit(uid, { visitor, referrer: 'example.org' }),
    visit(uid, { visitor, offeringId, referrer: 'www.example.org' }),
    visit(uid, { visitor, offeringId, kind: 'access' }),
    visit(uid, { kind: 'support' }),
    visit(uid, { kind: 'download', offeringId, at: new Date(Date.now() - dayMs).toISOString() }),
  ]);
  await counted();
  const read = await numbers(caller, 2);
  const today = { views: 2, visitors: 2, accessClicks: 1, supportClicks: 1, downloads: 0 };
  const yesterday = { views: 0, visitors: 1, accessClicks: 0, supportClicks: 0, downloads: 1 };
  expect(read.days.map(({ day: _, ...counts }) => counts)).toEqual([yesterday, today]);
  expect(read.totals).toEqual({ views: 2, visitors: 3, accessClicks: 1, supportClicks: 1, downloads: 1 });
  expect(read.profileViews).toBe(1);
  expect(read.offerings).toEqual([{ offeringId, views: 1, accessClicks: 1, downloads: 1 }]);
  expect(read.referrers).toEqual([{ host: 'example.org', views: 2 }]);
});

test('a redelivered visit counts once, in any batch', async () => {
  const caller = await makeCreatorOf(service);
  const once = visit(caller.uid);
  const again = visit(caller.uid);
  await announce([once, once]);
  await announce([once, again]);
  await announce([again]);
  await counted();
  expect((await numbers(caller)).totals).toMatchObject({ views: 2, visitors: 2 });
});

test('a visitor counts once a day, in total and for each offering', async () => {
  const caller = await makeCreatorOf(service);
  const visitor = makeVisitor();
  const offeringId = await anOffering(caller.uid);
  const seen = Array.from({ length: 3 }, () => visit(caller.uid, { visitor, offeringId }));
  await announce(seen.slice(0, 2));
  await announce(seen.slice(2));
  await counted();
  const { items } = await service.ask(
    creators.listVisits,
    { from: seen[0]!.at.slice(0, 10), to: seen[0]!.at.slice(0, 10) },
    caller,
  );
  expect(items.map(({ kind, subject, count, visitors }) => [kind, subject, count, visitors])).toEqual([
    ['any', '', 3, 1],
    ['view', offeringId, 3, 1],
  ]);
});

test('visits of unknown or unpublished profiles, and old visits, are not counted', async () => {
  const unpublished = makeCaller();
  await service.ask(creators.open, {}, unpublished);
  const published = await makeCreatorOf(service);
  const old = new Date(Date.now() - (limits.countableDays + 1) * dayMs).toISOString();
  await announce([
    visit(randomUUID()),
    visit(unpublished.uid),
    visit(published.uid, { at: old }),
    visit(published.uid),
  ]);
  await counted();
  expect((await numbers(unpublished)).totals.views).toBe(0);
  expect((await numbers(published, limits.listedVisitDays)).totals.views).toBe(1);
});

test('a creator reads their own numbers only [creators-41]', async () => {
  const [caller, other] = [await makeCreatorOf(service), await makeCreatorOf(service)];
  await announce([visit(caller.uid)]);
  await counted();
  expect((await numbers(other)).totals.views).toBe(0);
  await expect(service.ask(creators.readNumbers, { days: 7 })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

test("a creator's numbers list no unknown offerings and none of others [creators-42]", async () => {
  const [caller, other] = [await makeCreatorOf(service), await makeCreatorOf(service)];
  const [own, foreign] = [await anOffering(caller.uid), await anOffering(other.uid)];
  const madeUp = Array.from({ length: limits.visitSubjects }, () => randomUUID());
  for (const offeringId of [foreign, ...madeUp]) await announce([visit(caller.uid, { offeringId })]);
  await counted();
  await announce([visit(caller.uid, { offeringId: own })]);
  await counted();
  const read = await numbers(caller);
  expect(read.totals.views).toBe(limits.visitSubjects + 2);
  expect(read.offerings).toEqual([{ offeringId: own, views: 1, accessClicks: 0, downloads: 0 }]);
});

test('a range of more days than one answer allows is refused', async () => {
  const caller = await makeCreatorOf(service);
  const attempt = service.ask(creators.listVisits, { from: '2020-01-01', to: '2026-01-01' }, caller);
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_input' });
});

test('closing an account deletes its numbers, and late visits restore none [creators-43]', async () => {
  const { uid } = await makeCreatorOf(service);
  await announce([visit(uid)]);
  await counted();
  expect(await rowsOf('visit_count', uid)).toBe(2);
  await service.announce(identity.closed, { uid, at: new Date().toISOString() });
  await service.events.next(creators.erased, (facts) => facts.uid === uid);
  await announce([visit(uid)]);
  await counted();
  expect(await rowsOf('visit_count', uid)).toBe(0);
  expect(await rowsOf('day_visitor', uid)).toBe(0);
});

test('visitor hashes and counts are deleted after their retention time [creators-44]', async () => {
  const caller = await makeCreatorOf(service);
  await announce([visit(caller.uid)]);
  await counted();
  const forget = () => service.app.get(VisitsService).deleteExpired(new AbortController().signal);
  const age = (table: string, days: number) =>
    query(`UPDATE ${table} SET day = day - $1::int WHERE creator_id = $2`, [days, caller.uid]);
  await forget();
  expect(await rowsOf('day_visitor', caller.uid)).toBe(2);
  await age('day_visitor', 2);
  await age('visit_count', limits.visitDays);
  await forget();
  expect(await rowsOf('day_visitor', caller.uid)).toBe(0);
  expect(await rowsOf('visit_count', caller.uid)).toBe(2);
  await age('visit_count', 1);
  await forget();
  expect(await rowsOf('visit_count', caller.uid)).toBe(0);
});

test('concurrent batches for the same creators do not deadlock', async () => {
  const callers = [await makeCreatorOf(service), await makeCreatorOf(service)];
  const counting = service.app.get(VisitsService);
  const batches = Array.from({ length: 20 }, (_, index) => {
    const some = callers.map(({ uid }) => visit(uid, { referrer: `h${index % 3}.example` }));
    return index % 2 ? some : some.toReversed();
  });
  await Promise.all(batches.map((batch) => counting.count({ visits: batch })));
  for (const caller of callers)
    expect((await numbers(caller)).totals).toMatchObject({ views: 20, visitors: 20 });
});

test('ids count the same in upper and lower case', async () => {
  const caller = await makeCreatorOf(service);
  const offeringId = await anOffering(caller.uid);
  const capital = { offeringId: offeringId.toUpperCase(), id: randomUUID().toUpperCase() };
  await announce([
    visit(caller.uid, { offeringId }),
    visit(caller.uid.toUpperCase(), capital),
    visit(caller.uid, { ...capital, id: capital.id.toLowerCase() }),
  ]);
  await counted();
  const { totals, offerings } = await numbers(caller);
  expect([totals.views, offerings]).toEqual([2, [{ offeringId, views: 2, accessClicks: 0, downloads: 0 }]]);
});

test('an invalid visit becomes a dead letter, and the others of its message count', async () => {
  const victim = await makeCreatorOf(service);
  const id = randomUUID();
  const poison = [
    { ...visit(victim.uid), kind: 'of-a-later-release' },
    { ...visit(victim.uid), at: 'never' },
    { ...visit(victim.uid), creatorId: '\0' },
    { ...visit(victim.uid), visitor: '\ud800' },
    null,
    1e308,
  ];
  const facts = { visits: [visit(victim.uid), ...poison, visit(victim.uid)] };
  await service.announce(visits.counted, facts, id);
  await counted();
  expect((await numbers(victim)).totals.views).toBe(2);
  const letter = () => service.events.deadLetters().find((each) => (each as { id: string }).id === id);
  await waitFor(() => expect(letter()).toMatchObject({ reason: expect.stringContaining('6 of 8 visits') }));
});

test('a visit that the database refuses becomes a dead letter, and the others count', async () => {
  const [caller, victim] = [await makeCreatorOf(service), await makeCreatorOf(service)];
  const poison = [
    visit(caller.uid, { referrer: 'poison.example' }),
    visit(caller.uid, { referrer: 'poison.example' }),
  ];
  const asOwner = (sql: string) => withClient(adminUrlOf(service), (client) => client.query(sql));
  await asOwner(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF new.subject = 'poison.example' THEN RAISE 'No.' USING ERRCODE = '22000'; END IF; RETURN new; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON day_visitor FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    const id = randomUUID();
    await announce([visit(victim.uid), poison[0]!, visit(victim.uid), poison[1]!, visit(caller.uid)], id);
    await counted();
    expect((await numbers(victim)).totals.views).toBe(2);
    expect((await numbers(caller)).totals.views).toBe(1);
    const letter = () => service.events.deadLetters().find((each) => (each as { id: string }).id === id);
    // The first attempt must already write the dead letter. A second attempt would follow only after 1 s.
    await waitFor(() => expect(letter()).toMatchObject({ reason: expect.stringContaining('2 of 5 visits') }));
    expect(JSON.parse((letter() as { payload: string }).payload)).toEqual({ visits: poison });
  } finally {
    await asOwner('DROP FUNCTION refuse CASCADE');
  }
});
