import {
  type Caller,
  creators,
  identity,
  media,
  offerings,
  type Picture,
  type PreviewCard,
  type ReviewFacts,
} from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { CardRenderer } from '../../src/drawing/card-renderer.ts';
import { CardStorageClient } from '../../src/storage/card-storage.client.ts';
import { PreviewCardService } from '../../src/cards/preview-card.service.ts';
import { buckets, completePicture, endpoint, keysIn, startMedia, upload } from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

const soon = { timeout: 20_000, interval: 50 };
let service: ServiceUnderTest;
let handled = 100;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

const cardOf = ({ uid, username }: Caller, changes: Partial<PreviewCard> = {}): PreviewCard => ({
  ...{ uid, username, name: 'Ama', text: 'Poems.', palette: 'plum', pictureId: null },
  ...changes,
});
const draw = async (card: PreviewCard) => (await service.ask(media.drawCard, card)).path;
const fetched = (path: string) => fetch(`${endpoint}/${buckets.public}/${path}`);
const cardsOf = ({ uid }: Caller) => keysIn(buckets.public, `preview_cards/${uid}/`);
const noPictures = { profileImageId: null, headerImageId: null };
/** Waits until the earlier events of the account are handled, by publishing a later one. */
async function handledBy({ uid, username }: Caller): Promise<void> {
  const version = (handled += 1);
  const facts = { uid, username, displayName: 'Ama', ...noPictures, version };
  await service.announce(creators.changed, facts);
  await waitFor(async () => {
    const { rows } = await withClient(service.databaseUrl, (client) =>
      client.query('SELECT FROM attachment WHERE owner_id = $1 AND version = $2', [uid, version]),
    );
    expect(rows).not.toHaveLength(0);
  }, soon);
}
const rendering = () => jest.spyOn(service.app.get(CardRenderer), 'render');
const aPicture = async (by: Caller): Promise<Picture> => {
  const png = await plain({ width: 800, height: 800 }, '#c02040').png().toBuffer();
  return completePicture(service, by, await upload(service, by, png, 'profile-picture'));
};

test('a card is a JPEG of 1200 × 630 with a strong ETag and immutable caching', async () => {
  const caller = makeCaller();
  const answer = await fetched(await draw(cardOf(caller)));
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
});

test('a card is drawn once for each version, however many requests arrive [media-23]', async () => {
  const caller = makeCaller();
  const render = rendering();
  const paths = await Promise.all(Array.from({ length: 5 }, () => draw(cardOf(caller))));
  expect(await draw(cardOf(caller))).toBe(paths[0]);
  expect(new Set(paths).size).toBe(1);
  expect(render).toHaveBeenCalledTimes(1);
  const edited = await draw(cardOf(caller, { name: 'Ama B.' }));
  expect(edited).not.toBe(paths[0]);
  expect(render).toHaveBeenCalledTimes(2);
});

test("a card shows only its own creator's picture", async () => {
  const [caller, other] = [makeCaller(), makeCaller()];
  const [own, foreign] = [await aPicture(caller), await aPicture(other)];
  const render = rendering();
  await draw(cardOf(caller, { pictureId: own.id }));
  await draw(cardOf(caller, { pictureId: foreign.id }));
  expect(render.mock.calls.map(([{ picture }]) => picture === null)).toEqual([false, true]);
});

test('a card whose object was lost is drawn again', async () => {
  const caller = makeCaller();
  const path = await draw(cardOf(caller));
  await service.app.get(CardStorageClient).remove(path);
  expect(await draw(cardOf(caller))).toBe(path);
  expect((await fetched(path)).status).toBe(200);
});

test('a card over the queue limit of sixteen is refused, and drawn later [media-24]', async () => {
  const release = Promise.withResolvers<Buffer>();
  rendering().mockReturnValue(release.promise);
  const callers = Array.from({ length: 20 }, () => makeCaller());
  const requests = callers.map((caller) => draw(cardOf(caller)));
  const refused: unknown[] = [];
  for (const each of requests) each.catch((error: unknown) => refused.push(error));
  // Of the 20 cards one is being drawn and 16 wait, so three are refused.
  await waitFor(() => expect(refused).toHaveLength(3), soon);
  expect(refused).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'unavailable' })));
  release.resolve(Buffer.from('a card'));
  const outcomes = await Promise.allSettled(requests);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  jest.restoreAllMocks();
  for (const caller of callers) expect(await draw(cardOf(caller))).toContain(caller.uid);
});

test('a failed drawing is refused as unavailable, and the next one works', async () => {
  const caller = makeCaller();
  rendering().mockRejectedValueOnce(new Error('no fonts'));
  await expect(draw(cardOf(caller))).rejects.toMatchObject({ code: 'unavailable' });
  expect((await fetched(await draw(cardOf(caller)))).status).toBe(200);
});

test('cards are removed with a hidden or removed offering, or a closed account [media-25]', async () => {
  const caller = makeCaller();
  const offering = (id: string) => ({ id, title: 'Twelve letters', type: 'eBook', price: 'R150' });
  const [hidden, removed] = [randomUUID(), randomUUID()];
  const profile = await draw(cardOf(caller));
  await draw(cardOf(caller, { offering: offering(hidden) }));
  await draw(cardOf(caller, { offering: offering(removed) }));
  expect(await cardsOf(caller)).toHaveLength(3);
  const facts = { creatorId: caller.uid, coverImageId: null, fileIds: [], publicChange: 0, version: 2 };
  await service.announce(offerings.changed, { ...facts, id: hidden, publicChange: -1 });
  await waitFor(async () => expect(await cardsOf(caller)).toHaveLength(2), soon);
  await service.announce(offerings.removed, { ...facts, id: removed });
  await waitFor(async () => expect(await cardsOf(caller)).toEqual([profile]), soon);
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await waitFor(async () => expect(await cardsOf(caller)).toEqual([]), soon);
});

test('a withdrawn offering gets no card until it is public again [media-26]', async () => {
  const caller = makeCaller();
  const offering = { id: randomUUID(), title: 'Twelve letters', type: 'eBook', price: 'R150' };
  const drawIt = () => draw(cardOf(caller, { offering }));
  await drawIt();
  const facts = { creatorId: caller.uid, coverImageId: null, fileIds: [], publicChange: 0, id: offering.id };
  await service.announce(offerings.changed, { ...facts, version: 2, publicChange: -1 });
  // The requests still contain data of the public offering, as those of a caller with a stale answer.
  await waitFor(() => expect(drawIt()).rejects.toMatchObject({ code: 'not_found' }), soon);
  await waitFor(async () => expect(await cardsOf(caller)).toEqual([]), soon);
  await service.announce(offerings.changed, { ...facts, version: 3, publicChange: 1 });
  await waitFor(drawIt, soon);
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await waitFor(() => expect(drawIt()).rejects.toMatchObject({ code: 'not_found' }), soon);
});

test('the cards of a hidden profile are removed, and drawn again once it is restored', async () => {
  const caller = makeCaller();
  const offering = { id: randomUUID(), title: 'Twelve letters', type: 'eBook', price: 'R150' };
  const drawThem = () => Promise.all([draw(cardOf(caller)), draw(cardOf(caller, { offering }))]);
  const decide = (outcome: ReviewFacts['outcome']) =>
    service.announce(creators.reviewed, {
      ...{ id: randomUUID(), uid: caller.uid, offering: null, outcome, reason: null, text: '' },
      at: new Date().toISOString(),
    });
  const edit = (version: number) => {
    const { uid, username } = caller;
    const facts = { uid, username, displayName: 'Ama', ...noPictures, version };
    return service.announce(creators.changed, facts);
  };
  await drawThem();
  await edit(2);
  await decide('hidden');
  await waitFor(async () => expect(await cardsOf(caller)).toEqual([]), soon);
  // The owner edits the hidden profile, which must not allow its card again.
  await edit(3);
  const later = makeCaller();
  await draw(cardOf(later));
  await service.announce(identity.closed, { uid: later.uid, at: new Date().toISOString() });
  await waitFor(async () => expect(await cardsOf(later)).toEqual([]), soon);
  await expect(drawThem()).rejects.toMatchObject({ code: 'not_found' });
  await decide('restored');
  await waitFor(drawThem, soon);
});

test('the later of two decisions about a profile counts, in any order of arrival', async () => {
  const caller = makeCaller();
  const drawIt = () => draw(cardOf(caller));
  const decide = (outcome: ReviewFacts['outcome'], at: number) =>
    service.announce(creators.reviewed, {
      ...{ id: randomUUID(), uid: caller.uid, offering: null, outcome, reason: null, text: '' },
      at: new Date(at).toISOString(),
    });
  const now = Date.now();
  await decide('restored', now);
  await decide('hidden', now - 1000);
  await handledBy(caller);
  await drawIt();
  await decide('hidden', now + 1000);
  await waitFor(() => expect(drawIt()).rejects.toMatchObject({ code: 'not_found' }), soon);
  await decide('restored', now - 1000);
  await handledBy(caller);
  await expect(drawIt()).rejects.toMatchObject({ code: 'not_found' });
});

test('the later of two changes of an offering counts, and a removal is final', async () => {
  const caller = makeCaller();
  const offering = { id: randomUUID(), title: 'Twelve letters', type: 'eBook', price: 'R150' };
  const drawIt = () => draw(cardOf(caller, { offering }));
  const facts = { creatorId: caller.uid, coverImageId: null, fileIds: [], publicChange: 0, id: offering.id };
  await service.announce(offerings.published, { ...facts, version: 3, publicChange: 1 });
  await service.announce(offerings.changed, { ...facts, version: 2, publicChange: -1 });
  await handledBy(caller);
  await service.app.get(PreviewCardService).sweep(new AbortController().signal);
  await service.announce(offerings.changed, { ...facts, version: 2, publicChange: -1 });
  await handledBy(caller);
  await drawIt();
  await service.announce(offerings.removed, { ...facts, version: 4 });
  await service.announce(offerings.published, { ...facts, version: 3, publicChange: 1 });
  await handledBy(caller);
  await expect(drawIt()).rejects.toMatchObject({ code: 'not_found' });
});

test('a card withdrawn while it is drawn is removed by the next sweep', async () => {
  const caller = makeCaller();
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<Buffer>()];
  rendering().mockImplementation(() => {
    begun.resolve();
    return release.promise;
  });
  const drawn = draw(cardOf(caller));
  await begun.promise;
  await service.app.get(PreviewCardService).remove({ uid: caller.uid });
  release.resolve(Buffer.from('a card'));
  await drawn;
  await service.app.get(PreviewCardService).sweep(new AbortController().signal);
  expect(await cardsOf(caller)).toEqual([]);
});

test('an edit expires a card after an hour, unless it is requested again', async () => {
  const caller = makeCaller();
  const left = async (path: string) => {
    const minutes =
      'SELECT (extract(epoch FROM remove_after - now()) / 60)::float8 AS left FROM preview_card';
    const { rows } = await withClient(service.databaseUrl, (client) =>
      client.query<{ left: number }>(`${minutes} WHERE path = $1`, [path]),
    );
    return rows[0]?.left;
  };
  const path = await draw(cardOf(caller));
  expect(await left(path)).toBeGreaterThan(60);
  const creator = { uid: caller.uid, username: caller.username, displayName: 'Ama', ...noPictures };
  await service.announce(creators.changed, { ...creator, version: 2 });
  await waitFor(async () => expect(await left(path)).toBeLessThanOrEqual(60), soon);
  await draw(cardOf(caller));
  expect(await left(path)).toBeGreaterThan(60);
  await draw(cardOf(caller, { name: 'Another' }));
  expect(await left(path)).toBeLessThanOrEqual(60);
});

test('draws the first card of another creator while one creator requests many', async () => {
  const [busy, other] = [makeCaller(), makeCaller()];
  const requests = Array.from({ length: 40 }, (_, number) =>
    service.ask(media.drawCard, { ...cardOf(busy), name: `Many ${number}` }),
  );
  const { path } = await service.ask(media.drawCard, cardOf(other));
  expect(path).toContain(other.uid);
  const answers = await Promise.allSettled(requests);
  expect(answers.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
});
