import { type Caller, creators, identity, limits, type Report, type ReviewDecision } from '@stoa/contracts';
import {
  makeCaller,
  makeOperatorCaller,
  makeReport,
  randomPicture,
  waitFor,
  withClient,
} from '@stoa/testing';
import { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ReviewsService } from '../../src/reviews/reviews.service.ts';
import { makeCreatorOf } from '../creators-under-test.ts';
import { type ReviewsUnderTest, startReviews } from './reviews-under-test.ts';

let service: ReviewsUnderTest['service'];
let operator: Caller;
let pagesOf: ReviewsUnderTest['pagesOf'];
let casesOf: ReviewsUnderTest['casesOf'];

beforeAll(async () => {
  ({ service, operator, pagesOf, casesOf } = await startReviews());
});
afterAll(() => service.stop());

const letters = { id: randomUUID(), slug: 'letters', title: 'Letters' };
const reportOf = ({ uid }: Caller, more: Partial<Report> = {}): Report =>
  makeReport({ creatorId: uid, ...more });
const report = (caller: Caller, more?: Partial<Report>) =>
  service.ask(creators.report, reportOf(caller, more));
const decide = (id: string, decision: ReviewDecision['decision'], more: Partial<ReviewDecision> = {}) =>
  service.ask(creators.decide, { id, decision, text: '', ...more }, operator);
const hide = (id: string) => decide(id, 'hide', { reason: 'fraud', text: 'It asks for passwords.' });

test('a decision needs a log-in of the last ten minutes [creators-27]', async () => {
  const { id } = await aReported();
  const before = new Date(Date.now() - limits.freshLoginMinutes * 60_000 - 1000).toISOString();
  for (const decision of ['hide', 'dismiss', 'restore', 'uphold'] as const)
    for (const authenticatedAt of [before, undefined]) {
      const late = { ...operator, authenticatedAt };
      const attempt = service.ask(creators.decide, { id, decision, reason: 'fraud', text: '' }, late);
      await expect(attempt).rejects.toMatchObject({ code: 'fresh_login_required' });
    }
  await expect(service.ask(creators.listCases, { queue: 'waiting' }, operator)).resolves.toBeDefined();
  await expect(decide(id, 'dismiss')).resolves.toMatchObject({ status: 'dismissed' });
});

/** Creates a creator whose profile is reported, and returns the case. */
async function aReported(more?: Partial<Report>) {
  const caller = await makeCreatorOf(service);
  await report(caller, more);
  const [opened] = await casesOf(caller);
  if (!opened) throw new Error('There is no case.');
  return { caller, id: opened.id, opened };
}

/** Whether visitors find the creator, for each kind of public read. */
async function shown({ username, uid }: Caller): Promise<boolean[]> {
  const is = (answer: Promise<unknown>) =>
    answer.then(
      () => true,
      ({ code }: { code: string }) => code !== 'not_found',
    );
  const { items, total } = await service.ask(creators.browse, { search: username, limit: 10 });
  const listed = await service.ask(creators.listProfiles, {});
  return [
    await is(service.ask(creators.find, { username })),
    (await service.ask(creators.findMany, { usernames: [username] })).items.length > 0,
    await is(service.ask(creators.findName, { uid })),
    await is(service.ask(creators.findMailbox, { username })),
    items.length > 0,
    total > 0,
    listed.items.some((profile) => profile.uid === uid),
  ];
}
const all = (value: boolean) => Array.from({ length: 7 }, () => value);

test('all reports of a page belong to one case, each once', async () => {
  const caller = await makeCreatorOf(service);
  const first = reportOf(caller);
  await service.ask(creators.report, first);
  await service.ask(creators.report, first);
  await report(caller, { reason: 'rights', text: '' });
  await report(caller, { offering: letters });
  const [profile, offering, ...more] = await casesOf(caller);
  expect(more).toEqual([]);
  expect(profile).toMatchObject({ username: caller.username, offering: null, status: 'open' });
  expect(profile?.content).toMatchObject({ title: 'Zoë Ångström', text: 'Paints the sea.' });
  expect(profile?.steps).toMatchObject([
    { id: first.id, kind: 'reported', reason: 'fraud', text: 'It asks for my password.', actor: null },
    { kind: 'reported', reason: 'rights', text: '', actor: null },
  ]);
  expect(offering).toMatchObject({ offering: letters, status: 'open', content: null });
});

test('operators see every link and both pictures of a reported profile', async () => {
  const [profileImage, headerImage] = [randomPicture(), randomPicture()];
  const caller = await makeCreatorOf(service, {
    ...{ profileImage, headerImage },
    links: [{ label: 'Pay me here', url: 'https://evil.example.com/pay' }],
  });
  await report(caller);
  const [reported] = await casesOf(caller);
  expect(reported?.content).toMatchObject({
    picture: { id: profileImage.id },
    header: { id: headerImage.id },
  });
  expect(reported?.content?.links).toContain('https://evil.example.com/pay');
});

test('a case stores a limited number of reports and counts the rest, each once [creators-28]', async () => {
  const caller = await makeCreatorOf(service);
  for (let sent = 0; sent < limits.reportsPerCase; sent += 1) await report(caller);
  expect(await casesOf(caller)).toMatchObject([{ reports: limits.reportsPerCase }]);
  const beyond = reportOf(caller, { text: 'It asked me too.' });
  for (const sent of [beyond, beyond, reportOf(caller)]) await service.ask(creators.report, sent);
  const [reported] = await casesOf(caller);
  expect(reported?.steps).toHaveLength(limits.reportsPerCase);
  expect(reported?.steps.map(({ text }) => text)).not.toContain('It asked me too.');
  expect(reported?.reports).toBe(limits.reportsPerCase + 2);
  expect(await hide(reported!.id)).toMatchObject({ reports: limits.reportsPerCase + 2 });
});

test('the size of a report is limited in bytes', async () => {
  const caller = await makeCreatorOf(service);
  const text = '👨‍👩‍👧‍👦'.repeat(limits.reportLength);
  await expect(report(caller, { text })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a page that is not public cannot be reported', async () => {
  const unpublished = makeCaller();
  await service.ask(creators.open, {}, unpublished);
  await expect(report(unpublished)).rejects.toMatchObject({ code: 'not_found' });
  await expect(report(makeCaller())).rejects.toMatchObject({ code: 'not_found' });
});

test('only operators read the queue and decide [creators-29]', async () => {
  const { caller, id } = await aReported();
  const forbidden = { code: 'forbidden' };
  const hiding = { id, decision: 'hide', reason: 'fraud', text: '' } as const;
  for (const who of [caller, makeCaller()]) {
    await expect(service.ask(creators.listCases, { queue: 'waiting' }, who)).rejects.toMatchObject(forbidden);
    await expect(service.ask(creators.decide, hiding, who)).rejects.toMatchObject(forbidden);
  }
  const anonymous = service.ask(creators.listCases, { queue: 'waiting' });
  await expect(anonymous).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await shown(caller)).toContain(true);
});

test('no public read finds a hidden profile until it is restored [creators-30]', async () => {
  const { caller, id } = await aReported();
  await service.ask(
    creators.update,
    { ...(await service.ask(creators.readOwn, {}, caller)), contactBy: 'form', profileImage: null },
    caller,
  );
  expect(await shown(caller)).toEqual(all(true));
  const hidden = await hide(id);
  expect(hidden).toMatchObject({ status: 'hidden' });
  expect(hidden.steps.at(-1)).toMatchObject({ kind: 'hidden', reason: 'fraud', actor: operator.username });
  expect(await shown(caller)).toEqual(all(false));
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ isPublic: false, takenDown: true });

  // Saving the profile must not make it public again.
  const own = await service.ask(creators.readOwn, {}, caller);
  const saved = { ...own, contactBy: 'form', profileImage: null } as const;
  expect(await service.ask(creators.update, saved, caller)).toMatchObject({ isPublic: false });
  expect(await shown(caller)).toEqual(all(false));
  await expect(report(caller)).rejects.toMatchObject({ code: 'not_found' });

  expect(await decide(id, 'restore')).toMatchObject({ status: 'restored' });
  expect(await shown(caller)).toEqual(all(true));
});

test('a decision is announced with its reason', async () => {
  const { caller, id } = await aReported({ offering: letters });
  const { steps } = await hide(id);
  const announced = await service.events.next(creators.reviewed, ({ uid }) => uid === caller.uid);
  expect(announced).toEqual({
    ...{ id: steps.at(-1)?.id, uid: caller.uid, offering: { id: letters.id, title: 'Letters' } },
    ...{ outcome: 'hidden', reason: 'fraud', text: 'It asks for passwords.', at: steps.at(-1)?.at },
  });
  // The decision is about an offering, so the profile stays public.
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ takenDown: false });
  await decide(id, 'restore');
  await service.events.next(
    creators.reviewed,
    ({ uid, outcome }) => uid === caller.uid && outcome === 'restored',
  );
});

test('a dismissed page stays public, and a report for another reason opens another case', async () => {
  const { caller, id } = await aReported();
  await decide(id, 'dismiss');
  expect(await shown(caller)).toContain(true);
  expect(await casesOf(caller)).toEqual([]);
  await report(caller, { reason: 'rights' });
  expect(await casesOf(caller)).toHaveLength(1);
  expect((await casesOf(caller, 'closed')).map((one) => one.id)).toEqual([id]);
  expect(service.events.all(creators.reviewed).filter(({ uid }) => uid === caller.uid)).toEqual([]);
});

test.each(['waiting', 'hidden', 'closed'] as const)(
  'paging through the queue %s returns every case, even while others leave it [creators-31]',
  async (queue) => {
    const caller = await makeCreatorOf(service);
    const status = { waiting: 'open', hidden: 'hidden', closed: 'dismissed' }[queue];
    // More cases than fit on a page have the same time, so that the id must decide about their order.
    const insert = `INSERT INTO review_case (id, creator_id, offering_id, status, opened_at)
      SELECT gen_random_uuid(), $1, gen_random_uuid(), $2, now() - make_interval(days => (n + 22) / 25)
        FROM generate_series(1, $3::int) n`;
    const made = 2 * limits.reviewCases + 5;
    await withClient(service.databaseUrl, (client) => client.query(insert, [caller.uid, status, made]));
    const pages = await pagesOf(queue);
    expect(pages.slice(0, -1).every(({ length }) => length === limits.reviewCases)).toBe(true);
    const all = pages.flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ creatorId }) => creatorId === caller.uid)).toHaveLength(made);
    const times = all.flatMap(({ creatorId, openedAt }) => (creatorId === caller.uid ? [openedAt] : []));
    expect(times).toEqual(queue === 'waiting' ? times.toSorted() : times.toSorted().toReversed());

    const first = await service.ask(creators.listCases, { queue }, operator);
    if (queue === 'waiting') {
      const [dismissed] = first.items;
      await decide(dismissed!.id, 'dismiss');
    }
    const second = await service.ask(creators.listCases, { queue, cursor: first.nextCursor! }, operator);
    expect(second.items.map(({ id }) => id)).toEqual(pages[1]!.map(({ id }) => id));
  },
);

test('a forged cursor is refused', async () => {
  const attempt = service.ask(creators.listCases, { queue: 'waiting', cursor: 'bm90IG9uZQ' }, operator);
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_input' });
});

test('hiding needs a reason, and each decision needs the right status', async () => {
  const { id } = await aReported();
  const refused = (code: string) => ({ code });
  await expect(decide(id, 'hide')).rejects.toMatchObject(refused('invalid_input'));
  await expect(decide(id, 'restore')).rejects.toMatchObject(refused('conflict'));
  await expect(decide(id, 'uphold')).rejects.toMatchObject(refused('conflict'));
  await hide(id);
  await expect(hide(id)).rejects.toMatchObject(refused('conflict'));
  await expect(decide(id, 'dismiss')).rejects.toMatchObject(refused('conflict'));
  await expect(hide(randomUUID())).rejects.toMatchObject(refused('not_found'));
});

test('the owner reads why a page is hidden, and appeals once [creators-32]', async () => {
  const { caller, id } = await aReported({ offering: letters });
  const takedowns = async () => (await service.ask(creators.listTakedowns, {}, caller)).items;
  expect(await takedowns()).toEqual([]);
  await hide(id);
  expect(await takedowns()).toMatchObject([
    { id, offering: letters, status: 'hidden', reason: 'fraud', text: 'It asks for passwords.', answer: '' },
  ]);
  const appeal = (who: Caller) => service.ask(creators.appeal, { id, text: 'It is my shop.' }, who);
  await expect(appeal(makeCaller())).rejects.toMatchObject({ code: 'not_found' });
  expect(await appeal(caller)).toMatchObject({ status: 'appealed' });
  await expect(appeal(caller)).rejects.toMatchObject({ code: 'conflict' });
  const [waiting] = await casesOf(caller);
  expect(waiting?.steps.at(-1)).toMatchObject({
    kind: 'appealed',
    text: 'It is my shop.',
    actor: caller.username,
  });

  // An operator may restore what the same operator has hidden, but not judge the appeal against it.
  await expect(decide(id, 'uphold')).rejects.toMatchObject({ code: 'forbidden' });
  const another = makeOperatorCaller();
  const upheld = { id, decision: 'uphold', text: 'It still asks.' } as const;
  await service.ask(creators.decide, upheld, another);
  expect(await takedowns()).toMatchObject([{ status: 'upheld', answer: 'It still asks.' }]);
  await expect(appeal(caller)).rejects.toMatchObject({ code: 'conflict' });
  await decide(id, 'restore');
  expect(await takedowns()).toEqual([]);
});

test('the owner sees the decisions about each page, but no reporters or operators [creators-33]', async () => {
  const { caller, id } = await aReported({ offering: letters });
  const records = () => service.ask(creators.listRecords, {}, caller);
  expect(await records()).toEqual({ items: [], nextCursor: null });
  await hide(id);
  await service.ask(creators.appeal, { id, text: 'It is my shop.' }, caller);
  await decide(id, 'restore', { text: 'So it is.' });
  await report(caller);
  const [later] = await casesOf(caller);
  await decide(later!.id, 'dismiss');
  await report(caller, { reason: 'rights' });
  const kept = await records();
  expect(kept.items).toMatchObject([
    { id: later!.id, offering: null, status: 'dismissed', steps: [{ kind: 'dismissed' }] },
    {
      ...{ id, offering: letters, status: 'restored' },
      steps: [
        { kind: 'hidden', reason: 'fraud', text: 'It asks for passwords.' },
        { kind: 'appealed', text: 'It is my shop.' },
        { kind: 'restored', text: 'So it is.' },
      ],
    },
  ]);
  const text = JSON.stringify(kept);
  for (const secret of ['asks for my password', operator.username, operator.uid, 'actor'])
    expect(text).not.toContain(secret);
  expect(await service.ask(creators.listRecords, {}, makeCaller())).toEqual({ items: [], nextCursor: null });
});

test('the owner can page through the decisions', async () => {
  const caller = await makeCreatorOf(service);
  const insert = `INSERT INTO review_case (id, creator_id, status)
    SELECT gen_random_uuid(), $1, 'dismissed' FROM generate_series(1, $2::int)`;
  const made = limits.reviewCases + 1;
  await withClient(service.databaseUrl, (client) => client.query(insert, [caller.uid, made]));
  const first = await service.ask(creators.listRecords, {}, caller);
  const rest = await service.ask(creators.listRecords, { cursor: first.nextCursor! }, caller);
  expect(rest.nextCursor).toBeNull();
  expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(made);
});

test('a closed case is deleted with its trail after the retention time [creators-34]', async () => {
  const caller = await makeCreatorOf(service);
  const ids = { over: randomUUID(), fresh: randomUUID(), hidden: randomUUID(), waiting: randomUUID() };
  const days = limits.reviewDays;
  await withClient(service.databaseUrl, async (client) => {
    const add = async (id: string, status: string, decidedDaysAgo: number) => {
      const ago = (days: string) => `now() - make_interval(days => ${days})`;
      const opened = `INSERT INTO review_case (id, creator_id, status, opened_at)
        VALUES ($1, $2, $3, ${ago('$4::int')})`;
      await client.query(opened, [id, caller.uid, status, days + 100]);
      const step = `INSERT INTO review_step (id, case_id, kind, text, at)
        VALUES (gen_random_uuid(), $1, $2, 'It asked me.', ${ago('$3::int')})`;
      await client.query(step, [id, 'reported', days + 100]);
      await client.query(step, [id, status === 'open' ? 'reported' : status, decidedDaysAgo]);
    };
    await add(ids.over, 'dismissed', days + 1);
    await add(ids.fresh, 'restored', days - 1);
    await add(ids.hidden, 'hidden', days + 1);
    await add(ids.waiting, 'open', days + 1);
  });
  await service.app.get(ReviewsService).deleteExpired(new AbortController().signal);
  const left = await Promise.all(
    (['waiting', 'hidden', 'closed'] as const).map((one) => casesOf(caller, one)),
  );
  expect(left.map((cases) => cases.map(({ id }) => id))).toEqual([[ids.waiting], [ids.hidden], [ids.fresh]]);
  const steps = await withClient(service.databaseUrl, (client) =>
    client.query('SELECT 1 FROM review_step WHERE case_id = $1', [ids.over]),
  );
  expect(steps.rowCount).toBe(0);
});

test('an operator cannot decide about their own page', async () => {
  const { caller, id } = await aReported();
  const own = makeOperatorCaller(caller);
  for (const decision of ['dismiss', 'hide'] as const) {
    const attempt = service.ask(creators.decide, { id, decision, reason: 'fraud', text: '' }, own);
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await decide(id, 'dismiss')).toMatchObject({ status: 'dismissed' });
});

test('a decision is later than all earlier ones about the page, even with a slow clock', async () => {
  const { caller, id } = await aReported({ offering: letters });
  const ahead = new Date(Date.now() + 60_000).toISOString();
  const before = randomUUID();
  await withClient(service.databaseUrl, async (client) => {
    const over = `INSERT INTO review_case (id, creator_id, offering_id, status) VALUES ($1, $2, $3, 'restored')`;
    await client.query(over, [before, caller.uid, letters.id]);
    const step = `INSERT INTO review_step (id, case_id, kind, at) VALUES (gen_random_uuid(), $1, 'restored', $2)`;
    await client.query(step, [before, ahead]);
  });
  const { steps } = await hide(id);
  expect(Date.parse(steps.at(-1)!.at)).toBeGreaterThan(Date.parse(ahead));
});

test('only one of two concurrent decisions succeeds [creators-35]', async () => {
  const { id } = await aReported();
  const outcomes = await Promise.allSettled([hide(id), decide(id, 'dismiss')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('the audit trail is append-only, and is deleted with the account [creators-36]', async () => {
  const { caller, id } = await aReported();
  await hide(id);
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  const sql = (text: string) => database.query(text, [id]);
  const steps = async () => (await sql('SELECT 1 FROM review_step WHERE case_id = $1')).rowCount;
  const only = /review_step is only ever added to/;
  await expect(sql(`UPDATE review_step SET text = '' WHERE case_id = $1`)).rejects.toThrow(only);
  await expect(sql('DELETE FROM review_step WHERE case_id = $1')).rejects.toThrow(only);
  expect(await steps()).toBe(2);
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await waitFor(async () => expect(await steps()).toBe(0));
  await database.end();
});
