import {
  type Caller,
  localTimeOf,
  type NewOffering,
  type Offering,
  offerings,
  type PublicOffering,
} from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let database: Client;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});
beforeEach(() => {
  caller = makeCaller();
});

const paymentUrl = 'https://pay.example.com/x';
const timeZone = 'Africa/Johannesburg';
const evening = { start: '2030-12-03T18:00', end: '2030-12-03T20:30', timeZone };
const hourMs = 3_600_000;
/** The form value for a time that many hours from now. */
const at = (hours: number) => localTimeOf(Date.now() + hours * hourMs, timeZone);

function aDraft(changes: Partial<NewOffering> = {}): NewOffering {
  const words = { title: 'Linocut', description: '', price: '€12', paymentUrl };
  return { ...words, type: 'Workshop', coverImage: randomPicture(), ...changes };
}
const create = (changes?: Partial<NewOffering>) => service.ask(offerings.create, aDraft(changes), caller);
const change = ({ id }: Offering, changes: Partial<NewOffering> = {}) =>
  service.ask(offerings.update, { ...aDraft(changes), id }, caller);
const own = async () => (await service.ask(offerings.listOwn, {}, caller)).items;

async function shown(): Promise<PublicOffering[]> {
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  const { items: lists } = await service.ask(offerings.listPublicOfMany, { creatorIds: [caller.uid] });
  expect(lists[0]?.items).toEqual(items);
  for (const item of items) {
    const { creatorId, slug } = item;
    expect(await service.ask(offerings.findPublic, { creatorId, slug })).toEqual(item);
  }
  return items;
}
const shownTitles = async () => (await shown()).map(({ title }) => title);

it('owner and visitors see the date, time zone and seats of a workshop [offerings-38]', async () => {
  const made = await create({ schedule: evening, seats: 12 });
  const schedule = {
    startsAt: '2030-12-03T16:00:00.000Z',
    endsAt: '2030-12-03T18:30:00.000Z',
    timeZone,
    ended: false,
    text: 'Tuesday, 3 December 2030, 18:00–20:30 (Africa/Johannesburg)',
  };
  expect(made).toMatchObject({ schedule, seats: 12, state: 'published' });
  expect(await own()).toEqual([made]);
  expect(await shown()).toEqual([
    expect.objectContaining({ schedule, seats: 12, state: 'published', paymentUrl }),
  ]);
});

it('date and seats are kept by a form without them, and removed by null', async () => {
  const made = await create({ schedule: { ...evening, end: null }, seats: 12 });
  expect(made.schedule).toMatchObject({ endsAt: null });
  expect(await change(made, { title: 'Etching' })).toMatchObject({ schedule: made.schedule, seats: 12 });
  expect(await change(made, { seats: 11 })).toMatchObject({ schedule: made.schedule, seats: 11 });
  expect(await change(made, { schedule: null })).toMatchObject({ schedule: null, seats: 11 });
  expect(await change(made, { seats: null })).toMatchObject({ schedule: null, seats: null });
});

it('other types than Workshop have neither date nor seats', async () => {
  const course = await create({ type: 'Course', schedule: evening, seats: 12 });
  expect(course).toMatchObject({ schedule: null, seats: null });
  const workshop = await create({ schedule: evening, seats: 12 });
  await change(workshop, { type: 'Course' });
  expect(await change(workshop, { type: 'Workshop' })).toMatchObject({ schedule: null, seats: null });
});

it('a stored date of another type is not public', async () => {
  const { id } = await create({ schedule: { start: at(-48), timeZone }, seats: 0 });
  await database.query(`UPDATE offering SET type = 'Course' WHERE id = $1`, [id]);
  const plain = { schedule: null, seats: null, state: 'published', paymentUrl };
  expect(await shown()).toEqual([expect.objectContaining(plain)]);
  expect(await own()).toEqual([expect.objectContaining(plain)]);
});

it.each([
  [{ ...evening, timeZone: 'Europe/Atlantis' }, 'schedule.timeZone'],
  [{ start: '2030-03-31T02:30', timeZone: 'Europe/Berlin' }, 'schedule.start'],
  [{ ...evening, end: evening.start }, 'schedule.end'],
])('a schedule of %j is refused at %s [offerings-39]', async (schedule, field) => {
  const refused = { code: 'invalid_input', fields: [expect.objectContaining({ field })] };
  await expect(create({ schedule })).rejects.toMatchObject(refused);
});

it.each([-1, 1.5, 10_001])('%d seats are refused', async (seats) => {
  const refused = { code: 'invalid_input', fields: [expect.objectContaining({ field: 'seats' })] };
  await expect(create({ seats })).rejects.toMatchObject(refused);
});

it('a workshop without free seats is sold out and shows no payment link [offerings-40]', async () => {
  const made = await create({ schedule: evening, seats: 0 });
  expect(made).toMatchObject({ state: 'published', paymentUrl });
  expect(await shown()).toEqual([expect.objectContaining({ state: 'sold_out', paymentUrl: '', seats: 0 })]);
  await change(made, { seats: 1 });
  expect(await shown()).toEqual([expect.objectContaining({ state: 'published', paymentUrl, seats: 1 })]);
});

it('an ended workshop is marked as ended and shows no payment link [offerings-41]', async () => {
  const made = await create({ schedule: { start: at(-3), end: at(-1), timeZone } });
  expect(made).toMatchObject({ schedule: { ended: true }, paymentUrl });
  expect(await shown()).toEqual([
    expect.objectContaining({ schedule: made.schedule, state: 'published', paymentUrl: '' }),
  ]);
});

it('a workshop without an end ends three hours after its start', async () => {
  await create({ schedule: { start: at(-2), timeZone } });
  expect(await shown()).toEqual([expect.objectContaining({ paymentUrl })]);
  await create({ title: 'Before', schedule: { start: at(-3), timeZone } });
  const [, before] = await shown();
  expect(before).toMatchObject({ title: 'Before', paymentUrl: '', schedule: { ended: true, endsAt: null } });
});

it('future workshops come first by date, and ended ones last [offerings-42]', async () => {
  const dated = (title: string, hours: number) =>
    create({ title, schedule: { start: at(hours), end: at(hours + 1), timeZone } });
  await dated('Long over', -200);
  await dated('In a month', 700);
  await create({ title: 'Letters', type: 'eBook' });
  await dated('Over', -2);
  await dated('Tomorrow', 24);
  await create({ title: 'Undated' });
  await dated('Under way', -0.5);
  const expected = ['Under way', 'Tomorrow', 'In a month', 'Undated', 'Letters', 'Over', 'Long over'];
  expect(await shownTitles()).toEqual(expected);
  expect((await own()).map(({ title }) => title)).toEqual(expected);
});

it("a creator's order and pin precede dates, except for ended workshops [offerings-43]", async () => {
  const late = await create({ title: 'Late', schedule: { start: at(700), timeZone } });
  const soon = await create({ title: 'Soon', schedule: { start: at(24), timeZone } });
  const letters = await create({ title: 'Letters', type: 'eBook' });
  const over = await create({ title: 'Over', schedule: { start: at(-9), timeZone } });
  const ids = [over, late, letters, soon].map(({ id }) => id);
  await service.ask(offerings.reorder, { ids, pinnedId: letters.id }, caller);
  expect(await shownTitles()).toEqual(['Letters', 'Late', 'Soon', 'Over']);

  await service.ask(offerings.reorder, { ids, pinnedId: over.id }, caller);
  expect(await shownTitles()).toEqual(['Late', 'Letters', 'Soon', 'Over']);
  const creatorId = caller.uid;
  expect(await service.ask(offerings.listPublic, { creatorId })).toMatchObject({ pinnedId: null });
  expect(await service.ask(offerings.listOwn, {}, caller)).toMatchObject({ pinnedId: over.id });
});

it('the end of a workshop does not change the covers of a card', async () => {
  const letters = await create({ title: 'Letters', type: 'eBook' });
  const over = await create({ title: 'Over', schedule: { start: at(-9), timeZone } });
  const { lists } = await service.ask(offerings.listThumbnails, { creatorIds: [caller.uid] });
  const covers = [over, letters].map(({ coverImage }) => coverImage?.path);
  expect(lists[0]?.items.map(({ path }) => path)).toEqual(covers);
});

it('a duplicate has neither date nor seats [offerings-44]', async () => {
  const { id } = await create({ schedule: evening, seats: 12 });
  const made = await service.ask(offerings.duplicate, { id, duplicateId: randomUUID() }, caller);
  expect(made).toMatchObject({ type: 'Workshop', schedule: null, seats: null });
});

it('the payment link of a full or ended workshop is guarded too', async () => {
  const stale = { ...caller, authenticatedAt: new Date(Date.now() - hourMs).toISOString() };
  for (const draft of [{ seats: 0 }, { schedule: { start: at(-9), timeZone } }]) {
    const { id } = await create(draft);
    const moved = { ...aDraft(draft), id, paymentUrl: 'https://elsewhere.example.com/' };
    const attempt = service.ask(offerings.update, moved, stale);
    await expect(attempt).rejects.toMatchObject({ code: 'fresh_login_required' });
  }
});

it('a buyer sees the date of a workshop that is not public', async () => {
  const made = await create({ schedule: evening, state: 'hidden' });
  const { id, creatorId, deliveryKey, schedule } = made;
  const bought = await service.ask(offerings.download, { creatorId, id, key: deliveryKey });
  expect(bought.schedule).toEqual(schedule);
});
