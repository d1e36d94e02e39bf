import { type Caller, creators, limits, offerings, type Report } from '@stoa/contracts';
import { waitFor, withClient } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ReviewsService } from '../../src/reviews/reviews.service.ts';
import { changes, makeCreatorOf } from '../creators-under-test.ts';
import { type ReviewsUnderTest, startReviews } from './reviews-under-test.ts';

let service: ReviewsUnderTest['service'];
let operator: Caller;
let pagesOf: ReviewsUnderTest['pagesOf'];
let casesOf: ReviewsUnderTest['casesOf'];

beforeAll(async () => {
  ({ service, operator, pagesOf, casesOf } = await startReviews());
});
afterAll(() => service.stop());

const aSource = () => randomBytes(17).toString('base64url').slice(0, 22);
const report = ({ uid }: Caller, more: Partial<Report> = {}) =>
  service.ask(creators.report, {
    ...{ id: randomUUID(), creatorId: uid, offering: null, reason: 'rights', text: 'It is mine.' },
    ...{ source: aSource(), ...more },
  });
const dismiss = (id: string) => service.ask(creators.decide, { id, decision: 'dismiss', text: '' }, operator);
const sql = (text: string, values: unknown[]) =>
  withClient(service.databaseUrl, (client) => client.query(text, values));

/** Creates a profile, a report of it, and an operator's decision to dismiss it. */
async function aDismissed(more: Partial<Report> = {}) {
  const caller = await makeCreatorOf(service);
  await report(caller, more);
  const [reported] = await casesOf(caller);
  await dismiss(reported!.id);
  return { caller, id: reported!.id };
}

test('a network can report a limited number of pages a day, each repeatedly [creators-24]', async () => {
  const source = aSource();
  const pages: Caller[] = [];
  for (let page = 0; page < limits.reportedPagesPerDay; page += 1) {
    pages.push(await makeCreatorOf(service));
    await report(pages[page]!, { source });
  }
  const another = await makeCreatorOf(service);
  await expect(report(another, { source })).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(report(pages[0]!, { source })).resolves.toBeDefined();
  await expect(report(another)).resolves.toBeDefined();
  await sql(`UPDATE report_source SET at = at - interval '1 day' WHERE source = $1`, [source]);
  await expect(report(another, { source })).resolves.toBeDefined();
});

test('the reports of one network do not fill a case', async () => {
  const caller = await makeCreatorOf(service);
  const source = aSource();
  for (let sent = 0; sent < limits.reportsPerCase; sent += 1) await report(caller, { source });
  await report(caller, { text: 'It is mine too.' });
  const [reported] = await casesOf(caller);
  expect(reported?.steps).toHaveLength(limits.reportsPerCaseAndNetwork + 1);
  expect(reported?.steps.at(-1)?.text).toBe('It is mine too.');
  expect(reported?.reports).toBe(limits.reportsPerCase + 1);
});

test('another report for a dismissed reason opens no case [creators-25]', async () => {
  const { caller, id } = await aDismissed();
  const again = randomUUID();
  for (const more of [{ id: again }, { id: again }, { text: 'Look again.' }]) await report(caller, more);
  expect(await casesOf(caller)).toEqual([]);
  expect(await casesOf(caller, 'closed')).toMatchObject([{ id, reports: 3 }]);
  await report(caller, { reason: 'fraud' });
  expect(await casesOf(caller)).toHaveLength(1);
});

test('a report of a dismissed profile opens a case once the profile has changed [creators-26]', async () => {
  const { caller } = await aDismissed();
  await service.ask(creators.update, changes({ bio: 'Paints the sky.' }), caller);
  await report(caller);
  expect(await casesOf(caller)).toHaveLength(1);
});

test('a report of a dismissed offering opens a case once this offering has changed', async () => {
  const offering = { id: randomUUID(), slug: 'letters', title: 'Letters' };
  const caller = await makeCreatorOf(service);
  const list = async (offeringId: string, version: number) => {
    const listing = { uid: caller.uid, offeringId, title: 'Letters', version, links: [], isPublic: true };
    await service.announce(offerings.linksListed, listing);
    const listed = () =>
      sql('SELECT 1 FROM offering_title WHERE offering_id = $1 AND version = $2', [offeringId, version]);
    await waitFor(async () => expect((await listed()).rowCount).toBe(1), { timeout: 10_000 });
  };
  await list(offering.id, 3);
  await report(caller, { offering });
  await dismiss((await casesOf(caller))[0]!.id);
  await list(randomUUID(), 4);
  await report(caller, { offering });
  expect(await casesOf(caller)).toEqual([]);
  await list(offering.id, 4);
  await report(caller, { offering });
  expect(await casesOf(caller)).toHaveLength(1);
});

test('reports from several new networks open a case about a dismissed page', async () => {
  const source = aSource();
  const { caller } = await aDismissed({ source });
  for (let sent = 0; sent < limits.reopeningNetworks; sent += 1) await report(caller, { source });
  expect(await casesOf(caller)).toEqual([]);
  for (let sent = 0; sent < limits.reopeningNetworks; sent += 1) await report(caller);
  expect(await casesOf(caller)).toEqual([]);
  await report(caller);
  expect(await casesOf(caller)).toHaveLength(1);
});

test('the queue is sorted by reporting networks and severity, then by age', async () => {
  const [old, young, often, severe] = await Promise.all([1, 2, 3, 4].map(() => makeCreatorOf(service)));
  for (const caller of [old!, young!]) await report(caller, { reason: 'misleading' });
  for (let sent = 0; sent < 12; sent += 1) await report(often!, { reason: 'misleading' });
  const source = aSource();
  for (let sent = 0; sent < 12; sent += 1) await report(young!, { reason: 'misleading', source });
  await report(severe!, { reason: 'minors' });
  const mine = [old!, young!, often!, severe!].map(({ uid }) => uid);
  const order = (await pagesOf('waiting'))
    .flat()
    .map(({ creatorId }) => creatorId)
    .filter((uid) => mine.includes(uid));
  expect(order.slice(0, 2)).toEqual([often!.uid, severe!.uid]);
  await report(old!, { reason: 'misleading', source });
  const later = (await pagesOf('waiting'))
    .flat()
    .map(({ creatorId }) => creatorId)
    .filter((uid) => mine.includes(uid));
  expect(later).toEqual([often!.uid, severe!.uid, old!.uid, young!.uid]);
});

test('reporting networks are deleted after a day', async () => {
  const caller = await makeCreatorOf(service);
  const [source, fresh] = [aSource(), aSource()];
  for (const one of [source, fresh]) await report(caller, { source: one });
  await sql(`UPDATE report_source SET at = at - interval '25 hours' WHERE source = $1`, [source]);
  await service.app.get(ReviewsService).deleteExpired(new AbortController().signal);
  const left = await sql('SELECT source FROM report_source WHERE source = ANY($1)', [[source, fresh]]);
  expect(left.rows).toEqual([{ source: fresh }]);
});
