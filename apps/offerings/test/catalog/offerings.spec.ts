import { limits, type NewOffering, offerings } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  requestSubjects,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());

function aDraft(changes: Partial<NewOffering> = {}): NewOffering {
  return {
    id: randomUUID(),
    title: 'Letters to a young painter',
    description: 'Twelve letters.',
    price: '€12',
    type: 'eBook',
    paymentUrl: 'https://pay.example.com/letters',
    productUrl: null,
    coverImage: randomPicture(),
    ...changes,
  };
}

test('every request of the contract has a handler', () => {
  expect(service.handled()).toEqual(requestSubjects(offerings));
});

test('an unreadable row does not fail the list of its creator', async () => {
  const caller = makeCaller();
  const unreadable = await service.ask(offerings.create, aDraft(), caller);
  const other = await service.ask(offerings.create, aDraft(), caller);
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query(
    `UPDATE offering SET type = 'Papyrus', cover_image = '{"path": "elsewhere"}', files = '7' WHERE id = $1`,
    [unreadable.id],
  );
  await database.end();
  const read = { id: unreadable.id, type: '', coverImage: null };
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(items).toMatchObject([{ id: other.id, type: 'eBook' }, read]);
  const own = await service.ask(offerings.listOwn, {}, caller);
  expect(own.items).toMatchObject([{ id: other.id }, read]);
});

test.each(['paymentUrl', 'productUrl'] as const)(
  'a NUL in %s is invalid input, not an internal error',
  async (field) => {
    const create = service.ask(
      offerings.create,
      aDraft({ [field]: 'https://e.example/\u0000' }),
      makeCaller(),
    );
    await expect(create).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] });
  },
);

test.each([
  ['paymentUrl', 'http://127.1/pay'],
  ['paymentUrl', 'https://[::ffff:169.254.169.254]/latest'],
  ['productUrl', 'http://nas.local/files'],
] as const)('a %s to a private host (%s) is refused (SSRF)', async (field, link) => {
  const caller = makeCaller();
  const inside = {
    code: 'invalid_input',
    fields: [{ field, message: 'Enter a link that everybody can open.' }],
  };
  await expect(service.ask(offerings.create, aDraft({ [field]: link }), caller)).rejects.toMatchObject(
    inside,
  );
  const { id } = await service.ask(offerings.create, aDraft(), caller);
  const { coverImage: _, ...changes } = aDraft({ [field]: link });
  await expect(service.ask(offerings.update, { ...changes, id }, caller)).rejects.toMatchObject(inside);
});

test('the second of two edits of one version is refused (optimistic locking) [offerings-13]', async () => {
  const caller = makeCaller();
  const { id, version: editedVersion } = await service.ask(offerings.create, aDraft(), caller);
  const { coverImage: _, ...fields } = aDraft();
  const edits = ['First', 'Second'].map((title) =>
    service.ask(offerings.update, { ...fields, id, title, editedVersion }, caller),
  );
  const [taken, refused] = (await Promise.allSettled(edits)).toSorted((a) =>
    a.status === 'fulfilled' ? -1 : 1,
  );
  expect(refused).toMatchObject({ reason: { code: 'precondition_failed' } });
  const stored = await service.ask(offerings.readOwn, { id }, caller);
  expect(taken).toEqual({ status: 'fulfilled', value: stored });
  expect(stored.version).toBe(editedVersion + 1);
  await service.ask(offerings.rotateKey, { id }, caller);
  await service.ask(offerings.update, { ...fields, id, editedVersion: stored.version }, caller);
  await service.ask(offerings.update, { ...fields, id }, caller);
});

test('a record that a newer rule would refuse stays readable in every list', async () => {
  const caller = makeCaller();
  const { id } = await service.ask(offerings.create, aDraft(), caller);
  const invalid = { title: 'a\u200bb', paymentUrl: 'http://127.0.0.1/\u0007', productUrl: 'no link' };
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query(
    `UPDATE offering SET title = $2, payment_url = $3, product_url = $4, type = 'Scroll', cover_image = '{}', files = '{}'
      WHERE id = $1`,
    [id, ...Object.values(invalid)],
  );
  await database.end();
  expect(await service.ask(offerings.readOwn, { id }, caller)).toMatchObject(invalid);
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(items).toMatchObject([
    { title: invalid.title, paymentUrl: invalid.paymentUrl, type: '', coverImage: null },
  ]);
});

test('listPublicOfMany reads the lists of several creators', async () => {
  const [first, second, third] = [makeCaller(), makeCaller(), makeCaller()];
  for (const caller of [first, second, first])
    await service.ask(offerings.create, aDraft({ productUrl: 'https://files.example.com/own.pdf' }), caller);
  const creatorIds = [third.uid, first.uid, second.uid];
  const { items: lists } = await service.ask(offerings.listPublicOfMany, { creatorIds });
  expect(lists.map(({ items }) => items.map(({ creatorId }) => creatorId))).toEqual([
    [],
    [first.uid, first.uid],
    [second.uid],
  ]);
  for (const [place, creatorId] of creatorIds.entries())
    expect(await service.ask(offerings.listPublic, { creatorId })).toEqual(lists[place]);
  expect(JSON.stringify(lists)).not.toContain('own.pdf');
});

test('owner and visitors see new offerings first', async () => {
  const caller = makeCaller();
  const first = await service.ask(offerings.create, aDraft({ title: 'First' }), caller);
  const second = await service.ask(offerings.create, aDraft({ title: 'Second' }), caller);
  const own = await service.ask(offerings.listOwn, {}, caller);
  expect(own.items.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(first).toMatchObject({ creatorId: caller.uid, title: 'First', version: 1 });
  const seen = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(seen.items.map(({ title }) => title)).toEqual(['Second', 'First']);
});

test('a repeated create is idempotent: neither stored nor published again', async () => {
  const caller = makeCaller();
  const id = crypto.randomUUID();
  const created = await service.ask(offerings.create, aDraft({ id }), caller);
  expect(created.id).toBe(id);
  const again = await service.ask(offerings.create, aDraft({ id, title: 'Another title' }), caller);
  expect(again).toEqual(created);
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toEqual([created]);
  await service.ask(offerings.remove, { id }, caller);
  await service.events.next(offerings.removed, (facts) => facts.id === id);
  expect(service.events.all(offerings.published).filter((facts) => facts.id === id)).toHaveLength(1);
});

test('concurrent repeats create one offering [offerings-14]', async () => {
  const caller = makeCaller();
  const draft = aDraft({ id: crypto.randomUUID() });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => service.ask(offerings.create, draft, caller)),
  );
  expect(new Set(answers.map(({ deliveryKey }) => deliveryKey)).size).toBe(1);
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toHaveLength(1);
});

test('a repeated create succeeds at the limit of offerings', async () => {
  const caller = makeCaller();
  const drafts = Array.from({ length: limits.offeringsPerCreator }, () =>
    aDraft({ id: crypto.randomUUID() }),
  );
  for (const draft of drafts) await service.ask(offerings.create, draft, caller);
  const last = drafts.at(-1)!;
  expect(await service.ask(offerings.create, last, caller)).toMatchObject({ id: last.id });
  const oneMore = service.ask(offerings.create, aDraft({ id: crypto.randomUUID() }), caller);
  await expect(oneMore).rejects.toMatchObject({ code: 'limit_reached' });
});

test('the id of a foreign or removed offering is refused without revealing its use', async () => {
  const [owner, stranger] = [makeCaller(), makeCaller()];
  const draft = aDraft({ id: crypto.randomUUID() });
  const { id } = await service.ask(offerings.create, draft, owner);
  const refusal = { code: 'conflict', message: 'This offering cannot be created.' };
  await expect(service.ask(offerings.create, draft, stranger)).rejects.toMatchObject(refusal);
  expect((await service.ask(offerings.listOwn, {}, stranger)).items).toEqual([]);
  await service.ask(offerings.remove, { id }, owner);
  for (const caller of [owner, stranger]) {
    await expect(service.ask(offerings.create, draft, caller)).rejects.toMatchObject(refusal);
  }
});

test('of two concurrent creators with the same id, one gets it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const draft = aDraft({ id: crypto.randomUUID() });
    const answers = await Promise.allSettled([
      service.ask(offerings.create, draft, makeCaller()),
      service.ask(offerings.create, draft, makeCaller()),
    ]);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'conflict' } }]);
  }
});

test('visitors never see the product link [offerings-15]', async () => {
  const caller = makeCaller();
  const productUrl = 'https://files.example.com/secret.pdf';
  const created = await service.ask(offerings.create, aDraft({ productUrl }), caller);
  expect(created.productUrl).toBe(productUrl);
  const seen = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(JSON.stringify(seen)).not.toContain('secret.pdf');
});

test('each change is published once with an increasing version [offerings-16]', async () => {
  const caller = makeCaller();
  const draft = aDraft();
  const { id } = await service.ask(offerings.create, draft, caller);
  const cover = randomPicture();
  await service.ask(offerings.update, { id, ...draft, coverImage: cover }, caller);
  await service.ask(offerings.remove, { id }, caller);
  await service.events.next(offerings.removed, (facts) => facts.id === id);
  const of = (all: { id: string; version: number; coverImageId: string | null }[]) =>
    all.filter((facts) => facts.id === id);
  expect(of(service.events.all(offerings.published))).toMatchObject([{ version: 1 }]);
  expect(of(service.events.all(offerings.changed))).toMatchObject([{ version: 2, coverImageId: cover.id }]);
  expect(of(service.events.all(offerings.removed))).toMatchObject([{ version: 3 }]);
});

test('an edit concurrent with the removal publishes the last cover', async () => {
  const caller = makeCaller();
  for (let round = 0; round < 10; round += 1) {
    const draft = aDraft();
    const { id } = await service.ask(offerings.create, draft, caller);
    const cover = randomPicture();
    const [edited] = await Promise.allSettled([
      service.ask(offerings.update, { id, ...draft, coverImage: cover }, caller),
      service.ask(offerings.remove, { id }, caller),
    ]);
    const removed = await service.events.next(offerings.removed, (facts) => facts.id === id);
    const last = edited.status === 'fulfilled' ? [3, cover.id] : [2, draft.coverImage?.id];
    expect([removed.version, removed.coverImageId]).toEqual(last);
  }
});

test('an edit without a new cover keeps the old one', async () => {
  const caller = makeCaller();
  const created = await service.ask(offerings.create, aDraft(), caller);
  const edit = { ...aDraft({ title: 'Renamed' }), id: created.id, coverImage: undefined };
  const updated = await service.ask(offerings.update, edit, caller);
  expect(updated).toMatchObject({ title: 'Renamed', coverImage: { id: created.coverImage!.id } });
});

test('a stranger can neither read, change nor remove an offering [offerings-17]', async () => {
  const { id } = await service.ask(offerings.create, aDraft(), makeCaller());
  const stranger = makeCaller();
  const refusal = { code: 'forbidden', message: 'You do not have permission to edit this offering.' };
  await expect(service.ask(offerings.readOwn, { id }, stranger)).rejects.toMatchObject(refusal);
  await expect(service.ask(offerings.update, { ...aDraft(), id }, stranger)).rejects.toMatchObject(refusal);
  await expect(service.ask(offerings.remove, { id }, stranger)).rejects.toMatchObject(refusal);
});

test('a caller without a token is unauthenticated, and an unknown offering is not_found', async () => {
  await expect(service.ask(offerings.create, aDraft())).rejects.toMatchObject({ code: 'unauthenticated' });
  const unknown = service.ask(offerings.readOwn, { id: crypto.randomUUID() }, makeCaller());
  await expect(unknown).rejects.toMatchObject({ code: 'not_found', message: 'Offering not found.' });
});

test.each([
  ['title', { title: ' ' }],
  ['price', { price: '' }],
  ['description', { description: '👩‍👩‍👧‍👦'.repeat(1001) }],
  ['paymentUrl', { paymentUrl: 'javascript:alert(1)' }],
  ['paymentUrl', { paymentUrl: 'https://user:secret@pay.example.com/' }],
  ['type', { type: 'Car' as never }],
  ['title', { title: 'half a pair \ud800' }],
  ['paymentUrl', { paymentUrl: 'https://pay.example.com/\ud800' }],
] as const)('an offering with an invalid %s is refused and not stored', async (field, change) => {
  const caller = makeCaller();
  const refused = service.ask(offerings.create, aDraft(change), caller);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] });
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toEqual([]);
});

test('a description of exactly 1000 characters, an emoji counted as one, is accepted', async () => {
  const description = '👩‍👩‍👧‍👦'.repeat(1000);
  const created = await service.ask(offerings.create, aDraft({ description }), makeCaller());
  expect(created.description).toBe(description);
});
