import { type Caller, identity, media, type OfferingFacts, offerings, StoredFile } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { buckets, keysIn, startMedia, uploadFile } from '../media-under-test.ts';

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
  fileIds: files.map((file) => file.id),
  publicChange: 0,
  version,
});
const publish = (offering: OfferingFacts) => service.announce(offerings.published, offering);
const change = (offering: OfferingFacts) => service.announce(offerings.changed, offering);

/** Waits until all earlier events are handled: removes another offering and waits until its file is gone. */
async function settled(): Promise<void> {
  const other = await aFile();
  const offering = { ...facts([other], 1), id: randomUUID() };
  await publish(offering);
  await service.announce(offerings.removed, { ...offering, version: 2 });
  await expectGone(other);
}

const rows = (statement: string, values: unknown[]) =>
  withClient(
    service.databaseUrl,
    async (client) => (await client.query(statement, values)).rows as unknown[],
  );

/** Moves the expiry of the account's uploads two days back, so that unused ones have expired. */
const age = () =>
  rows("UPDATE upload SET remove_after = remove_after - interval '2 days' WHERE uid = $1", [caller.uid]);

/** Lists which of these files still exist after unused uploads have expired. */
async function keptAfterADay(...files: StoredFile[]): Promise<boolean[]> {
  await settled();
  await age();
  await settled();
  return Promise.all(files.map(kept));
}

it('keeps all files of an offering in any order, and removes a replaced one [media-28]', async () => {
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

it('removes a file that is no longer named, and an older event does not restore it', async () => {
  const [one, two, late] = [await aFile(), await aFile(), await aFile()];
  await publish(facts([one, two], 1));
  await change(facts([one], 3));
  await change(facts([one, late], 2));
  await expectGone(two);
  expect(await keptAfterADay(one)).not.toContain(false);
  // An attached file would be kept.
  await expectGone(late);
});

it('removes all files of a closed account', async () => {
  const files = [await aFile(), await aFile()];
  await publish(facts(files, 1));
  await settled();
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  for (const file of files) await expectGone(file);
  expect(await rows('SELECT 1 FROM attachment WHERE owner_id = $1 AND upload_id IS NOT NULL', [id])).toEqual(
    [],
  );
});
