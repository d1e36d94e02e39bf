import { type Caller, identity, media, type OfferingFacts, offerings, StoredFile } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { buckets, keysIn, startMedia, uploadFile } from './media-under-test.ts';

const soon = { timeout: 20_000, interval: 50 };
let service: ServiceUnderTest;
let caller: Caller;
let id: string;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '250' });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
  id = randomUUID();
});

const aFile = async () =>
  StoredFile.parse(
    await service.ask(
      media.complete,
      { id: await uploadFile(service, caller, randomBytes(100)), kind: 'file' },
      caller,
    ),
  );
const kept = async ({ id: file }: StoredFile) =>
  (await keysIn(buckets.files, `offering_files/${caller.uid}/${file}`)).length > 0;
const expectGone = (file: StoredFile) => waitFor(async () => expect(await kept(file)).toBe(false), soon);

const facts = (files: StoredFile[], version: number): OfferingFacts => ({
  id,
  creatorId: caller.uid,
  coverImageId: null,
  fileId: files[0]?.id ?? null,
  fileIds: files.map((file) => file.id),
  version,
});
/** As a replica of the release before several files says it. */
const olderFacts = (first: StoredFile | null, version: number): OfferingFacts => {
  const { fileIds: _, ...known } = facts(first ? [first] : [], version);
  return known;
};
const publish = (said: OfferingFacts) => service.announce(offerings.published, said);
const change = (said: OfferingFacts) => service.announce(offerings.changed, said);

/** Resolves when every event announced so far is handled: a file of another offering goes by one more. */
async function settled(): Promise<void> {
  const other = await aFile();
  const said = { ...facts([other], 1), id: randomUUID() };
  await publish(said);
  await service.announce(offerings.removed, { ...said, version: 2 });
  await expectGone(other);
}

const rows = (statement: string, values: unknown[]) =>
  withClient(
    service.databaseUrl,
    async (client) => (await client.query(statement, values)).rows as unknown[],
  );

/** A day later nothing stays that is not in use. */
const age = () =>
  rows("UPDATE upload SET remove_after = remove_after - interval '2 days' WHERE uid = $1", [caller.uid]);

/** Which of these are kept when a day has gone by. */
async function keptAfterADay(...files: StoredFile[]): Promise<boolean[]> {
  await settled();
  await age();
  await settled();
  return Promise.all(files.map(kept));
}

it('keeps all files of an offering in whatever order, and removes a version that was replaced', async () => {
  const [one, two] = [await aFile(), await aFile()];
  await publish(facts([one, two], 1));
  await change(facts([two, one], 2));
  expect(await keptAfterADay(one, two)).not.toContain(false);
  const next = await aFile();
  await change(facts([two, next], 3));
  await expectGone(one);
  expect(await keptAfterADay(two, next)).not.toContain(false);
});

it('removes every file with its offering', async () => {
  const files = [await aFile(), await aFile(), await aFile()];
  await publish(facts(files, 1));
  expect(await keptAfterADay(...files)).not.toContain(false);
  await service.announce(offerings.removed, facts(files, 2));
  for (const file of files) await expectGone(file);
});

it('removes a file that is no longer named, and keeps it from coming back by an older event', async () => {
  const [one, two, late] = [await aFile(), await aFile(), await aFile()];
  await publish(facts([one, two], 1));
  await change(facts([one], 3));
  await change(facts([one, late], 2));
  await expectGone(two);
  expect(await keptAfterADay(one)).not.toContain(false);
  // Had the older event attached it, it would be kept now.
  await expectGone(late);
});

it('an older publisher says nothing of any but the first file', async () => {
  const [one, two] = [await aFile(), await aFile()];
  await publish(facts([one, two], 1));
  await change(olderFacts(one, 2));
  expect(await keptAfterADay(one, two)).not.toContain(false);
  const next = await aFile();
  await change(olderFacts(next, 3));
  await expectGone(one);
  expect(await keptAfterADay(two, next)).not.toContain(false);
  await change(olderFacts(null, 4));
  await expectGone(next);
  expect(await keptAfterADay(two)).not.toContain(false);
});

it('a file of before there were several is kept by the first event that names all', async () => {
  const [one, two] = [await aFile(), await aFile()];
  await publish(olderFacts(one, 1));
  await settled();
  await rows("DELETE FROM attachment WHERE owner_id = $1 AND owner_kind LIKE 'offering-file:%'", [id]);
  await change(facts([two, one], 2));
  expect(await keptAfterADay(one, two)).not.toContain(false);
});

it('a replica of the release before, which swaps the first file alone, lets no other go', async () => {
  const [one, two] = [await aFile(), await aFile()];
  await publish(facts([one, two], 1));
  await settled();
  // What it does by an event that names two, one: it knows the one slot.
  await rows(
    "UPDATE attachment SET upload_id = $2, version = 2 WHERE owner_id = $1 AND owner_kind = 'offering-file'",
    [id, two.id],
  );
  const used = await rows(
    'SELECT DISTINCT upload_id FROM attachment WHERE owner_id = $1 AND upload_id IS NOT NULL',
    [id],
  );
  expect(used).toHaveLength(2);
  await change(facts([two], 3));
  await expectGone(one);
  expect(await keptAfterADay(two)).not.toContain(false);
});

it('all files of a closed account go', async () => {
  const files = [await aFile(), await aFile()];
  await publish(facts(files, 1));
  await settled();
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  for (const file of files) await expectGone(file);
  expect(await rows('SELECT 1 FROM attachment WHERE owner_id = $1 AND upload_id IS NOT NULL', [id])).toEqual(
    [],
  );
});
