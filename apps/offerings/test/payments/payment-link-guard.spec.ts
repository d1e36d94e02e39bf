import {
  type Caller,
  creators,
  identity,
  limits,
  type NewOffering,
  type Offering,
  offerings,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let client: Client;
/** A caller with an old log-in, as in a browser that was left open. */
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});
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

const create = (changes?: Partial<NewOffering>) =>
  service.ask(offerings.create, aDraft(changes), justLoggedIn());
const update = ({ id }: Offering, changes?: Partial<NewOffering>, by = caller) =>
  service.ask(offerings.update, { ...aDraft(changes), id }, by);
const justLoggedIn = () => ({ ...caller, authenticatedAt: new Date().toISOString() });

const refusal = {
  code: 'fresh_login_required',
  fields: [{ field: 'paymentUrl', message: 'Log in again to change where payments go.' }],
};

it.each(['published', 'sold_out'] as const)(
  'another host in the payment link of a %s offering needs a fresh log-in',
  async (state) => {
    const offering = await create({ state });
    await expect(update(offering, { paymentUrl: elsewhere })).rejects.toMatchObject(refusal);
    expect(await service.ask(offerings.readOwn, { id: offering.id }, caller)).toEqual(offering);
    const changed = await update(offering, { paymentUrl: elsewhere }, justLoggedIn());
    expect(changed.paymentUrl).toBe(elsewhere);
  },
);

it('a token without a log-in time is not fresh', async () => {
  const offering = await create();
  const { authenticatedAt: _, ...unknown } = caller;
  await expect(update(offering, { paymentUrl: elsewhere }, unknown)).rejects.toMatchObject(refusal);
});

it.each([
  ['another path', 'https://pay.example.com/mallory'],
  ['a longer path', 'https://pay.example.com/letters/mallory'],
  ['a payee in the query', 'https://pay.example.com/letters?business=mallory'],
  ['no encryption', 'http://pay.example.com/letters'],
  ['a port', 'https://pay.example.com:8443/letters'],
])('%s at the same host needs a fresh log-in', async (_, paymentUrl) => {
  await expect(update(await create(), { paymentUrl })).rejects.toMatchObject(refusal);
});

it.each([
  ['www before it', 'https://www.pay.example.com/letters'],
  ['a slash behind it', 'https://pay.example.com/letters/'],
  ['the mark of a campaign', 'https://pay.example.com/letters?utm_source=mail'],
  ['needless encoding', 'https://pay.example.com/%6cetters'],
])('the same payee with %s needs no fresh log-in [offerings-20]', async (_, paymentUrl) => {
  expect(await update(await create(), { paymentUrl })).toMatchObject({ paymentUrl });
});

it('a change to https needs no fresh log-in, but a change back does', async () => {
  const bare = 'http://pay.example.com/letters';
  const offering = await create({ paymentUrl: bare });
  await update(offering, { paymentUrl: bare, title: 'Later' });
  await update(offering, { paymentUrl: known });
  await expect(update(offering, { paymentUrl: bare })).rejects.toMatchObject(refusal);
});

it.each(['published', 'sold_out'] as const)(
  'a new %s offering with a new payee needs a fresh log-in',
  async (state) => {
    const attempt = service.ask(offerings.create, aDraft({ state, paymentUrl: elsewhere }), caller);
    await expect(attempt).rejects.toMatchObject(refusal);
    expect(await service.ask(offerings.listOwn, {}, caller)).toMatchObject({ items: [] });
    await create();
    expect(await service.ask(offerings.create, aDraft({ state }), caller)).toMatchObject({ state });
  },
);

it('a payee with a very long link is announced for each offering', async () => {
  const paymentUrl = `https://pay.example.net/?to=${'~'.repeat(1900)}`;
  const pages = [await create({ paymentUrl }), await create({ paymentUrl })];
  for (const [index, { id }] of pages.entries()) {
    const move = await service.events.next(offerings.paymentsMoved, ({ offeringId }) => offeringId === id);
    expect(move).toMatchObject({ follows: index > 0 });
  }
  await expect(update(pages[0]!, { paymentUrl: `${paymentUrl}~` })).rejects.toMatchObject(refusal);
  await update(pages[0]!, { paymentUrl: known }, justLoggedIn());
  await update(pages[0]!, { paymentUrl });
});

it('a draft needs a fresh log-in for its link only when it is published [offerings-21]', async () => {
  const draft = await service.ask(offerings.create, aDraft({ state: 'draft' }), caller);
  await update(draft, { paymentUrl: elsewhere });
  const shown = { paymentUrl: elsewhere, state: 'published' } as const;
  await expect(update(draft, shown)).rejects.toMatchObject(refusal);
  expect(await update(draft, shown, justLoggedIn())).toMatchObject(shown);
});

it('an offering that is created again needs a fresh log-in only for another payee [offerings-22]', async () => {
  const { id } = await create();
  await service.ask(offerings.remove, { id }, caller);
  const another = service.ask(offerings.create, aDraft({ paymentUrl: elsewhere }), caller);
  await expect(another).rejects.toMatchObject(refusal);
  expect(await service.ask(offerings.create, aDraft(), caller)).toMatchObject({ paymentUrl: known });
});

it('a published duplicate needs a fresh log-in only for another payee [offerings-23]', async () => {
  const { id } = await create();
  const copy = await service.ask(offerings.duplicate, { id, duplicateId: randomUUID() }, caller);
  const moved = update(copy, { paymentUrl: elsewhere, state: 'published' });
  await expect(moved).rejects.toMatchObject(refusal);
  expect(await update(copy, { state: 'published' })).toMatchObject({ paymentUrl: known });
});

it('a payee of one offering needs no fresh log-in in another offering [offerings-24]', async () => {
  await create({ paymentUrl: elsewhere });
  expect(await update(await create(), { paymentUrl: elsewhere })).toMatchObject({ paymentUrl: elsewhere });
  const other = makeCaller({ authenticatedAt: caller.authenticatedAt });
  const attempt = service.ask(offerings.create, aDraft({ paymentUrl: elsewhere }), other);
  await expect(attempt).rejects.toMatchObject(refusal);
});

it('a payee that no public page has linked to for 90 days needs a fresh log-in again', async () => {
  const offering = await create();
  await update(offering, { state: 'hidden' });
  const ended = (days: number) =>
    client.query(`UPDATE payee SET ended_at = now() - make_interval(days => $2::int) WHERE creator_id = $1`, [
      caller.uid,
      days,
    ]);
  await ended(limits.payeeDays + 1);
  await expect(update(offering, { state: 'published' })).rejects.toMatchObject(refusal);
  await ended(limits.payeeDays - 1);
  expect(await update(offering, { state: 'published' })).toMatchObject({ state: 'published' });
});

it('a payee of the profile is known to the account, in any order of events', async () => {
  const facts = { uid: caller.uid, payee: elsewhere, distrusted: false };
  const since = new Date().toISOString();
  await service.announce(creators.payeeNoted, { ...facts, since, endedAt: null, asOf: 2 });
  await service.announce(creators.payeeNoted, {
    ...facts,
    since,
    endedAt: '2020-01-01T00:00:00.000Z',
    asOf: 1,
  });
  await waitFor(async () => {
    const offering = aDraft({ paymentUrl: elsewhere });
    expect(await service.ask(offerings.create, offering, caller)).toMatchObject({ paymentUrl: elsewhere });
  });
});

it.each(['draft', 'hidden', 'archived'] as const)(
  'an offering returns from state %s with another host only after a fresh log-in [offerings-25]',
  async (state) => {
    const offering = await create();
    await update(offering, { paymentUrl: elsewhere, state });
    await update(offering, { paymentUrl: `${elsewhere}/2`, state });
    const shown = { paymentUrl: elsewhere, state: 'published' } as const;
    await expect(update(offering, shown)).rejects.toMatchObject(refusal);
    await update(offering, { state: 'published' });
    await update(offering, shown, justLoggedIn());
    // From now on, this is the last public link.
    await update(offering, { paymentUrl: `${elsewhere}/2`, state });
    expect(await update(offering, shown)).toMatchObject(shown);
  },
);

it('an edit of an older version is refused before the payee is checked', async () => {
  const offering = await create();
  await update(offering, { title: 'Later' });
  const stale = { ...aDraft({ paymentUrl: elsewhere }), id: offering.id, editedVersion: offering.version };
  const refused = { code: 'precondition_failed' };
  await expect(service.ask(offerings.update, stale, caller)).rejects.toMatchObject(refused);
});

/** The announced changes of this offering's payee, in order. */
async function movesOf({ id }: Offering, count: number) {
  const isOfIt = ({ offeringId }: { offeringId: string | null }) => offeringId === id;
  const all = () => service.events.all(offerings.paymentsMoved).filter(isOfIt);
  await waitFor(() => {
    expect(all()).toHaveLength(count);
    return Promise.resolve();
  });
  return all();
}

it('a new payee is announced with the former link, but another spelling is not', async () => {
  const offering = await create();
  await update(offering, { paymentUrl: `${known}/` });
  await update(offering, { paymentUrl: elsewhere, title: 'Poems' }, justLoggedIn());
  expect(await movesOf(offering, 2)).toEqual([
    {
      ...{ id: expect.any(String), uid: caller.uid, offeringId: offering.id, at: expect.any(String) },
      ...{ before: [], after: [{ name: 'Letters', url: known }], follows: false },
    },
    {
      ...{ id: expect.any(String), uid: caller.uid, offeringId: offering.id, at: expect.any(String) },
      before: [{ name: 'Poems', url: `${known}/` }],
      after: [{ name: 'Poems', url: elsewhere }],
      follows: false,
    },
  ]);
});

it('a recent payee in another offering is announced as following, but a settled one is not', async () => {
  const first = await create();
  const second = await create();
  expect(await movesOf(first, 1)).toMatchObject([{ follows: false }]);
  expect(await movesOf(second, 1)).toMatchObject([{ before: [], follows: true }]);
  await client.query(
    `UPDATE payee SET since = now() - make_interval(days => $2::int) WHERE creator_id = $1`,
    [caller.uid, limits.linkUndoDays + 1],
  );
  await create();
  const last = await create({ paymentUrl: elsewhere });
  await movesOf(last, 1);
  const all = service.events.all(offerings.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(all).toHaveLength(3);
});

/** The event of an undone change, which restores the link `known`. */
const undoneOf = (offeringId: string): UndoneLinkChangeFacts => ({
  ...{ uid: caller.uid, offeringId, links: [{ name: 'Letters', url: known }] },
  ...{ namesOwnLinks: false, distrusted: [], undoneAt: new Date().toISOString() },
});

it('an undone new offering becomes a draft, and its payee needs a fresh log-in again', async () => {
  const offering = await create({ paymentUrl: elsewhere });
  const undone = { ...undoneOf(offering.id), links: [], distrusted: [elsewhere] };
  await service.announce(identity.linkChangeUndone, undone);
  await waitFor(async () =>
    expect(await service.ask(offerings.readOwn, { id: offering.id }, caller)).toMatchObject({
      state: 'draft',
    }),
  );
  const shown = { paymentUrl: elsewhere, state: 'published' } as const;
  await expect(update(offering, shown)).rejects.toMatchObject(refusal);
  expect(await update(offering, shown, justLoggedIn())).toMatchObject(shown);
});

/** Announces an undone change twice, and waits until a later event of the same kind is handled. */
async function announceUndone(uid: string, offeringId: string): Promise<void> {
  const undone = { ...undoneOf(offeringId), uid };
  const eventId = randomUUID();
  await service.announce(identity.linkChangeUndone, undone, eventId);
  await service.announce(identity.linkChangeUndone, undone, eventId);
  const last = await create({ paymentUrl: elsewhere });
  await service.announce(identity.linkChangeUndone, undoneOf(last.id));
  await waitFor(async () =>
    expect(await service.ask(offerings.readOwn, { id: last.id }, caller)).toMatchObject({
      paymentUrl: known,
    }),
  );
}

it('an undo restores the former link once [offerings-26]', async () => {
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

it('a late undo keeps a newer link, but not one that it undoes', async () => {
  const offering = await create();
  const undoneAt = new Date(Date.now() - 60_000).toISOString();
  const undone = { ...undoneOf(offering.id), undoneAt };
  const newer = `${elsewhere}/newer`;
  await update(offering, { paymentUrl: newer }, justLoggedIn());
  await service.announce(identity.linkChangeUndone, { ...undone, distrusted: [elsewhere] });
  // Events of an account are handled in order: once the second one is handled, the first one is too.
  const other = await create();
  await update(other, { paymentUrl: elsewhere }, justLoggedIn());
  await service.announce(identity.linkChangeUndone, {
    ...{ ...undone, offeringId: other.id, distrusted: [elsewhere] },
  });
  const stored = ({ id }: { id: string }) => service.ask(offerings.readOwn, { id }, caller);
  await waitFor(async () => expect(await stored(other)).toMatchObject({ paymentUrl: known }));
  expect(await stored(offering)).toMatchObject({ paymentUrl: newer });
});

it('an undo changes neither an offering of another account nor a removed one', async () => {
  const offering = await create();
  const moved = await update(offering, { paymentUrl: elsewhere }, justLoggedIn());
  await announceUndone(randomUUID(), offering.id);
  expect(await service.ask(offerings.readOwn, { id: offering.id }, caller)).toEqual(moved);
  await service.ask(offerings.remove, { id: offering.id }, caller);
  await announceUndone(caller.uid, offering.id);
});
