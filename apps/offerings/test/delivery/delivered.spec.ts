import {
  type Caller,
  creators,
  identity,
  limits,
  type NewOffering,
  type Offering,
  offerings,
} from '@stoa/contracts';
import {
  makeCaller,
  makeStoredFile,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let owner: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  owner = makeCaller();
});

const draft: Omit<NewOffering, 'coverImage'> = {
  title: 'Letters',
  description: 'Twelve of them.',
  price: '€12',
  type: 'eBook',
  paymentUrl: 'https://pay.example.com/letters',
};
const words = { deliveryText: 'The password is “swordfish”.', deliveryUrl: 'https://course.example.com/in' };
const create = (changes: Partial<NewOffering> = {}) =>
  service.ask(offerings.create, { ...draft, coverImage: randomPicture(), ...changes }, owner);
const update = (id: string, changes: Partial<NewOffering>) =>
  service.ask(offerings.update, { ...draft, ...changes, id }, owner);
const download = ({ id }: Offering, key?: string, by?: Caller) =>
  service.ask(offerings.download, { creatorId: owner.uid, id, key }, by);
const chosen = (...names: string[]) => names.map((filename) => ({ file: makeStoredFile({ filename }) }));
const named = ({ files }: Pick<Offering, 'files'>) => files.map(({ filename }) => filename);

test('several files keep their order', async () => {
  const [one, two] = chosen('one.pdf', 'two.pdf') as [never, never];
  const made = await create({ files: [one, two] });
  expect(named(made)).toEqual(['one.pdf', 'two.pdf']);
  const turned = await update(made.id, { files: [two, one] });
  expect(named(turned)).toEqual(['two.pdf', 'one.pdf']);
  expect(named(await update(made.id, { title: 'Renamed' }))).toEqual(['two.pdf', 'one.pdf']);
  expect((await update(made.id, { files: [] })).files).toEqual([]);
});

test('a new version replaces a file and has a note and the date', async () => {
  const [one, two] = chosen('one.pdf', 'two.pdf');
  if (!one || !two) throw new Error('Two files are missing.');
  const { id } = await create({ files: [one] });
  const began = new Date().toISOString();
  const version = { ...two, replaces: one.file.id, note: 'Fixed page 12' };
  const { files, deliveryKey, ...offering } = await update(id, { files: [version] });
  expect(files).toEqual([{ ...two.file, note: 'Fixed page 12', updatedAt: expect.any(String) as unknown }]);
  expect(files[0]?.updatedAt && files[0].updatedAt >= began).toBe(true);
  expect((await download(offering as Offering, deliveryKey)).files).toEqual(files);
});

test('the event of every change lists the ids of all files', async () => {
  const [one, two] = chosen('one.pdf', 'two.pdf');
  if (!one || !two) throw new Error('Two files are missing.');
  const { id } = await create({ files: [one, two] });
  await update(id, { files: [two] });
  await service.ask(offerings.remove, { id }, owner);
  await service.events.next(offerings.removed, (facts) => facts.id === id);
  const seen = [offerings.published, offerings.changed, offerings.removed].flatMap((event) =>
    service.events.all(event).filter((facts) => facts.id === id),
  );
  expect(seen.map(({ fileIds }) => fileIds)).toEqual([
    [one.file.id, two.file.id],
    [two.file.id],
    [two.file.id],
  ]);
});

test('text and link are kept by a form without them, and removed by empty values', async () => {
  const made = await create(words);
  expect(made).toMatchObject(words);
  expect(await update(made.id, { title: 'Renamed' })).toMatchObject(words);
  const emptied = await update(made.id, { deliveryText: '', deliveryUrl: null });
  expect(emptied).toMatchObject({ deliveryText: '', deliveryUrl: null });
});

test('only the owner and callers with the key get the text and link [offerings-2]', async () => {
  const offering = await create({ ...words, files: chosen('one.pdf') });
  expect(await download(offering, offering.deliveryKey)).toMatchObject({ ...words, keyNeeded: false });
  expect(await download(offering, undefined, owner)).toMatchObject({ ...words, keyNeeded: false });
  const stranger = await download(offering, undefined, makeCaller());
  expect(stranger).toMatchObject({ files: [], deliveryText: '', deliveryUrl: null, keyNeeded: true });

  await update(offering.id, { title: 'Renamed' });
  await service.events.next(offerings.changed, ({ id }) => id === offering.id);
  const seen = JSON.stringify([
    stranger,
    await service.ask(offerings.listPublic, { creatorId: owner.uid }),
    await service.ask(offerings.listPublicOfMany, { creatorIds: [owner.uid] }),
    await service.ask(offerings.findPublic, { creatorId: owner.uid, slug: 'renamed' }),
    await service.ask(offerings.listForReview, { ids: [offering.id] }, makeCaller({ isOperator: true })),
    service.events.all(offerings.published),
    service.events.all(offerings.changed),
  ]);
  expect(seen).toContain(offering.id);
  for (const secret of ['swordfish', 'course.example.com', 'one.pdf']) expect(seen).not.toContain(secret);
});

test('a text or a link without files needs the key too', async () => {
  for (const only of [{ deliveryText: 'Hello' }, { deliveryUrl: words.deliveryUrl }]) {
    const offering = await create(only);
    expect(await download(offering, undefined, makeCaller())).toMatchObject({ keyNeeded: true });
    expect(await download(offering, offering.deliveryKey)).toMatchObject({ ...only, keyNeeded: false });
  }
});

test('an archived offering still delivers to callers with the key [offerings-3]', async () => {
  const offering = await create(words);
  await update(offering.id, { state: 'archived' });
  expect(await download(offering, offering.deliveryKey)).toMatchObject(words);
});

test('a hidden offering delivers nothing to callers with the key [offerings-4]', async () => {
  const offering = await create({ ...words, files: chosen('one.pdf') });
  const { id, title } = offering;
  const at = new Date().toISOString();
  const decision = {
    id: crypto.randomUUID(),
    uid: owner.uid,
    outcome: 'hidden',
    reason: 'fraud',
    text: '',
    at,
  } as const;
  await service.announce(creators.reviewed, { ...decision, offering: { id, title } });
  const missing = { code: 'not_found' };
  await waitFor(() => expect(download(offering, offering.deliveryKey)).rejects.toMatchObject(missing));
  expect(await download(offering, undefined, owner)).toMatchObject(words);
});

test('closing an account deletes files, texts and links, and announces the number of files', async () => {
  const { id } = await create({ ...words, files: chosen('one.pdf', 'two.pdf') });
  await create({ files: chosen('three.pdf') });
  await service.announce(identity.closed, { uid: owner.uid, at: new Date().toISOString() });
  const { counts } = await service.events.next(offerings.erased, ({ uid }) => uid === owner.uid);
  expect(counts).toMatchObject({ offerings: 2, files: 3 });
  const { rows } = await withClient(service.databaseUrl, (client) =>
    client.query('SELECT 1 FROM offering WHERE creator_id = $1', [owner.uid]),
  );
  expect(rows).toEqual([]);
  await expect(service.ask(offerings.readOwn, { id }, owner)).rejects.toMatchObject({ code: 'not_found' });
});

test('a duplicate delivers nothing', async () => {
  const { id } = await create({ ...words, files: chosen('one.pdf') });
  const duplicate = { id, duplicateId: crypto.randomUUID() };
  const copy = await service.ask(offerings.duplicate, duplicate, owner);
  expect(copy).toMatchObject({ files: [], deliveryText: '', deliveryUrl: null });
});

test('values above a limit are refused at their fields', async () => {
  const refused = (field: string) => ({
    code: 'invalid_input',
    fields: [expect.objectContaining({ field })],
  });
  const many = Array.from({ length: limits.offeringFiles + 1 }, () => ({ file: makeStoredFile() }));
  await expect(create({ files: many })).rejects.toMatchObject(refused('files'));
  const size = limits.offeringFileBytes;
  const heavy = Array.from({ length: 6 }, () => ({ file: makeStoredFile({ size }) }));
  await expect(create({ files: heavy })).rejects.toMatchObject(refused('files'));
  const long = create({ deliveryText: 'x'.repeat(limits.deliveryTextLength + 1) });
  await expect(long).rejects.toMatchObject(refused('deliveryText'));
  const inside = create({ deliveryUrl: 'http://nas.local/files' });
  await expect(inside).rejects.toMatchObject(refused('deliveryUrl'));
  const [file] = chosen('one.pdf');
  if (!file) throw new Error('The file is missing.');
  const lines = create({ files: [{ ...file, note: 'two\nlines' }] });
  await expect(lines).rejects.toMatchObject(refused('files.0.note'));
});
