import { type Caller, creators, type NewOffering, offerings, type ReviewFacts } from '@stoa/contracts';
import { withCurrentReads } from '@stoa/messaging';
import {
  createDatabase,
  inRepository,
  makeCaller,
  randomPicture,
  type ReplicatedPostgres,
  type ServiceUnderTest,
  startReplicatedPostgres,
  startServiceUnderTest,
  type TestDatabase,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

let postgres: ReplicatedPostgres;
let database: TestDatabase;
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  database = await createDatabase(postgres.adminUrl, inRepository('apps/offerings/prisma/migrations'));
  const environment = { DATABASE_URL: database.url, DATABASE_READ_URL: postgres.atReplica(database.url) };
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder, environment });
}, 120_000);
beforeEach(() => {
  caller = makeCaller();
});
afterEach(() => postgres.resumeReplay());
afterAll(async () => {
  await service.stop();
  await database.drop();
  await postgres.stop();
});

const letters = (more: Partial<NewOffering> = {}): NewOffering => ({
  ...{ title: 'Letters', description: 'By hand.', price: '€12', paymentUrl: 'https://pay.example.com/x' },
  ...{ type: 'eBook', coverImage: randomPicture(), ...more },
});
type Made = Awaited<ReturnType<typeof create>>;
const create = () => service.ask(offerings.create, letters(), caller);
/** The price in the public list and on the page, undefined without the offering, and whether the sitemap has it. */
async function shown({ slug }: Made) {
  const creatorId = caller.uid;
  const { items } = await service.ask(offerings.listPublic, { creatorId });
  const entries = await service.ask(offerings.listEntries, { creatorIds: [creatorId] });
  const found = await service.ask(offerings.findPublic, { creatorId, slug }).catch(() => undefined);
  return [items[0]?.price, found?.price, entries.items.length > 0];
}
const current = (made: Made) => withCurrentReads(true, () => shown(made));
const isSeen = (price: string) => [price, price, true];
const isGone = [undefined, undefined, false];

/** Announces a decision of an operator. */
const review = (id: string, outcome: ReviewFacts['outcome'], at: Date) =>
  service.announce(creators.reviewed, {
    ...{ id: randomUUID(), uid: caller.uid, offering: { id, title: 'Letters' }, outcome },
    ...{ reason: 'fraud', text: '', at: at.toISOString() },
  });
const takenDown = (id: string) =>
  service.ask(offerings.readOwn, { id }, caller).then((own) => own.takenDown ?? false);
const isTakenDown = (id: string, value: boolean) =>
  waitFor(async () => expect(await takenDown(id)).toBe(value));

test('a current read bypasses a lagging replica', async () => {
  const made = await create();
  await waitFor(async () => expect(await shown(made)).toEqual(isSeen('€12')));
  await postgres.pauseReplay();
  await service.ask(offerings.update, { ...letters({ price: '€15' }), id: made.id }, caller);
  // This proves that the replica lags.
  expect(await shown(made)).toEqual(isSeen('€12'));
  expect(await current(made)).toEqual(isSeen('€15'));
  await review(made.id, 'hidden', new Date());
  await isTakenDown(made.id, true);
  expect(await shown(made)).toEqual(isSeen('€12'));
  expect(await current(made)).toEqual(isGone);
  // Downloads never use the replica.
  const { deliveryKey: key } = made;
  const download = service.ask(offerings.download, { creatorId: caller.uid, id: made.id, key });
  await expect(download).rejects.toMatchObject({ code: 'not_found' });
  await review(made.id, 'restored', new Date());
  await isTakenDown(made.id, false);
  expect(await current(made)).toEqual(isSeen('€15'));
});

test('a late event of an older decision changes nothing, even while the replica lags', async () => {
  const made = await create();
  await waitFor(async () => expect(await shown(made)).toEqual(isSeen('€12')));
  await postgres.pauseReplay();
  const [hidden, restored] = [new Date(Date.now() - 1000), new Date()];
  await review(made.id, 'restored', restored);
  await review(made.id, 'hidden', hidden);
  // Events are handled in order: once this one is, the previous ones are too.
  const last = await create();
  await review(last.id, 'hidden', new Date());
  await isTakenDown(last.id, true);
  expect(await takenDown(made.id)).toBe(false);
  await postgres.resumeReplay();
  await waitFor(async () => expect(await shown(made)).toEqual(isSeen('€12')));
});
