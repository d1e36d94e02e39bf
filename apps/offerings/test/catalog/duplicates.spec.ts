import { type Caller, limits, type NewOffering, offerings } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

const words = {
  title: 'Letters',
  description: 'Twelve letters.',
  price: '€12',
  type: 'eBook',
  paymentUrl: 'https://pay.example.com/x',
  productUrl: 'https://files.example.com/own.pdf',
} as const;
const makeFile = () => ({ id: randomUUID(), filename: 'a.pdf', size: 9, contentType: 'application/pdf' });
const draft = (): NewOffering => ({ ...words, coverImage: randomPicture(), files: [{ file: makeFile() }] });
const create = () => service.ask(offerings.create, draft(), caller);
const duplicate = (id: string, duplicateId: string = randomUUID(), by = caller) =>
  service.ask(offerings.duplicate, { id, duplicateId }, by);

it('a duplicate is a draft with the texts and cover, not the files and key [offerings-8]', async () => {
  const original = await create();
  const made = await duplicate(original.id);
  expect(made).toMatchObject({
    ...words,
    title: 'Letters (copy)',
    slug: 'letters-copy',
    state: 'draft',
    coverImage: original.coverImage,
    version: 1,
  });
  expect(made.deliveryKey).not.toBe(original.deliveryKey);
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toEqual([made, original]);
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(items.map(({ id }) => id)).toEqual([original.id]);
  const facts = await service.events.next(offerings.changed, ({ id }) => id === made.id);
  const coverImageId = original.coverImage?.id;
  expect(facts).toMatchObject({ coverImageId, fileIds: [], publicChange: 0, version: 1 });
});

it('a repeated duplicate is idempotent', async () => {
  const { id } = await create();
  const duplicateId = randomUUID();
  const answers = await Promise.all(Array.from({ length: 3 }, () => duplicate(id, duplicateId)));
  expect(new Set(answers.map(({ deliveryKey }) => deliveryKey)).size).toBe(1);
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toHaveLength(2);
});

it("another creator's offering cannot be duplicated, nor its id taken", async () => {
  const { id } = await create();
  const stranger = makeCaller();
  await expect(duplicate(id, randomUUID(), stranger)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(duplicate(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  const theirs = await service.ask(offerings.create, draft(), stranger);
  await expect(duplicate(id, theirs.id)).rejects.toMatchObject({ code: 'conflict' });
});

it('a duplicate counts against the limit of offerings', async () => {
  const { id } = await create();
  for (let number = 1; number < limits.offeringsPerCreator; number += 1) await duplicate(id);
  await expect(duplicate(id)).rejects.toMatchObject({ code: 'limit_reached' });
});

it('a published duplicate keeps the cover of its original, even if the original is removed', async () => {
  const original = await create();
  const { id } = await duplicate(original.id);
  const { coverImage } = original;
  const published = await service.ask(offerings.update, { ...words, id, state: 'published' }, caller);
  expect(published).toMatchObject({ state: 'published', coverImage });
  await service.ask(offerings.remove, { id: original.id }, caller);
  expect(await service.ask(offerings.readOwn, { id }, caller)).toMatchObject({ coverImage });
});

it('a duplicate of an offering without a cover needs one before it is published', async () => {
  const original = await create();
  await withClient(service.databaseUrl, (client) =>
    client.query('UPDATE offering SET cover_image = NULL WHERE id = $1', [original.id]),
  );
  const { id } = await duplicate(original.id);
  const edit = { ...words, id };
  for (const state of ['published', 'sold_out'] as const)
    await expect(service.ask(offerings.update, { ...edit, state }, caller)).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ field: 'coverImageId', message: 'Please select a cover image.' }],
    });
  const coverImage = randomPicture();
  const published = service.ask(offerings.update, { ...edit, state: 'published', coverImage }, caller);
  expect(await published).toMatchObject({ state: 'published', coverImage });
});
