import { type Caller, identity, limits, type NewOffering, type Offering, offerings } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
/** Logged in some time ago, as in a browser that was left open. */
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  const longAgo = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  caller = makeCaller({ authenticatedAt: new Date(longAgo).toISOString() });
});

const known = 'https://pay.example.com/letters';
const elsewhere = 'https://pay.example.net/letters';

function aDraft(changes: Partial<NewOffering> = {}): NewOffering {
  const words = { title: 'Letters', description: '', price: '€12', paymentUrl: known };
  return { ...words, type: 'eBook', coverImage: randomPicture(), ...changes };
}

const create = (changes?: Partial<NewOffering>) => service.ask(offerings.create, aDraft(changes), caller);
const update = ({ id }: Offering, changes?: Partial<NewOffering>, by = caller) =>
  service.ask(offerings.update, { ...aDraft(changes), id }, by);
const justLoggedIn = () => ({ ...caller, authenticatedAt: new Date().toISOString() });

const refusal = {
  code: 'fresh_login_required',
  fields: [{ field: 'paymentUrl', message: 'Log in again to change where payments go.' }],
};

it.each(['published', 'sold_out'] as const)(
  'another host in the payment link of an offering that is %s takes a fresh log-in',
  async (state) => {
    const offering = await create({ state });
    await expect(update(offering, { paymentUrl: elsewhere })).rejects.toMatchObject(refusal);
    expect(await service.ask(offerings.readOwn, { id: offering.id }, caller)).toEqual(offering);
    const changed = await update(offering, { paymentUrl: elsewhere }, justLoggedIn());
    expect(changed.paymentUrl).toBe(elsewhere);
  },
);

it('a token that does not say when its owner logged in is not fresh', async () => {
  const offering = await create();
  const { authenticatedAt: _, ...unknown } = caller;
  await expect(update(offering, { paymentUrl: elsewhere }, unknown)).rejects.toMatchObject(refusal);
});

it.each([
  ['another path', 'https://pay.example.com/others?plan=year'],
  ['no encryption', 'http://pay.example.com/letters'],
  ['www before it', 'https://www.pay.example.com/letters'],
])('the same host with %s takes no fresh log-in', async (_, paymentUrl) => {
  expect(await update(await create(), { paymentUrl })).toMatchObject({ paymentUrl });
});

it('the link of a draft is changed and published without a fresh log-in', async () => {
  const draft = await create({ state: 'draft' });
  await update(draft, { paymentUrl: elsewhere });
  expect(await update(draft, { paymentUrl: elsewhere, state: 'published' })).toMatchObject({
    paymentUrl: elsewhere,
    state: 'published',
  });
});

it.each(['draft', 'hidden', 'archived'] as const)(
  'an offering that was public returns from %s with another host by a fresh log-in alone',
  async (state) => {
    const offering = await create();
    await update(offering, { paymentUrl: elsewhere, state });
    await update(offering, { paymentUrl: `${elsewhere}/2`, state });
    const shown = { paymentUrl: elsewhere, state: 'published' } as const;
    await expect(update(offering, shown)).rejects.toMatchObject(refusal);
    await update(offering, { state: 'published' });
    await update(offering, shown, justLoggedIn());
    // From now on this is the host that visitors know.
    await update(offering, { paymentUrl: `${elsewhere}/2`, state });
    expect(await update(offering, shown)).toMatchObject(shown);
  },
);

it('an edit of an older version is refused as such first', async () => {
  const offering = await create();
  await update(offering, { title: 'Later' });
  const stale = { ...aDraft({ paymentUrl: elsewhere }), id: offering.id, editedVersion: offering.version };
  const refused = { code: 'precondition_failed' };
  await expect(service.ask(offerings.update, stale, caller)).rejects.toMatchObject(refused);
});

it('another host is announced with what visitors saw before, another path is not', async () => {
  const offering = await create();
  await update(offering, { paymentUrl: `${known}/2` });
  await update(offering, { paymentUrl: elsewhere, title: 'Poems' }, justLoggedIn());
  await service.events.next(offerings.paymentsMoved, ({ offeringId }) => offeringId === offering.id);
  const told = service.events.all(offerings.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(told).toEqual([
    {
      id: expect.any(String),
      uid: caller.uid,
      offeringId: offering.id,
      before: [{ name: 'Poems', url: `${known}/2` }],
      after: [{ name: 'Poems', url: elsewhere }],
      at: expect.any(String),
    },
  ]);
});

/** Announces that a change of links was taken back, and again; what it says is done once another such event is. */
async function announceUndone(uid: string, offeringId: string): Promise<void> {
  const undone = { uid, offeringId, links: [{ name: 'Letters', url: known }] };
  const eventId = randomUUID();
  await service.announce(identity.linkChangeUndone, undone, eventId);
  await service.announce(identity.linkChangeUndone, undone, eventId);
  const last = await create({ paymentUrl: elsewhere });
  await service.announce(identity.linkChangeUndone, { ...undone, uid: caller.uid, offeringId: last.id });
  await waitFor(async () =>
    expect(await service.ask(offerings.readOwn, { id: last.id }, caller)).toMatchObject({
      paymentUrl: known,
    }),
  );
}

it('a change that is taken back puts the link of before back, once', async () => {
  const offering = await create();
  const moved = await update(offering, { paymentUrl: elsewhere }, justLoggedIn());
  await announceUndone(caller.uid, offering.id);
  const restored = await service.ask(offerings.readOwn, { id: offering.id }, caller);
  expect(restored).toMatchObject({ paymentUrl: known, version: moved.version + 1 });
  await service.events.next(
    offerings.changed,
    ({ id, version }) => id === offering.id && version === restored.version,
  );
});

it("nobody puts a link into somebody else's offering, or into one that is gone", async () => {
  const offering = await create();
  const moved = await update(offering, { paymentUrl: elsewhere }, justLoggedIn());
  await announceUndone(randomUUID(), offering.id);
  expect(await service.ask(offerings.readOwn, { id: offering.id }, caller)).toEqual(moved);
  await service.ask(offerings.remove, { id: offering.id }, caller);
  await announceUndone(caller.uid, offering.id);
});
