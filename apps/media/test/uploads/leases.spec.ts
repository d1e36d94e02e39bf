import { type Caller, creators, media, Picture } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MediaRepository } from '../../src/uploads/media.repository.ts';
import { PictureEncoder } from '../../src/pictures/picture-encoder.ts';
import { StorageClient } from '../../src/storage/storage.client.ts';
import {
  buckets,
  completePicture,
  keysIn,
  post,
  request,
  startMedia,
  upload,
  uploadFile,
} from '../media-under-test.ts';
import { type Replica, startReplica } from '../replica.ts';
import { plain } from '../sample-pictures.ts';

const soon = { timeout: 20_000, interval: 50 };
let service: ServiceUnderTest;
let replica: Replica;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
  replica = startReplica();
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});
beforeEach(() => {
  caller = makeCaller();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as Row[]);
const complete = (id: string) => completePicture(service, caller, id);
const completeFile = (id: string) => service.ask(media.complete, { id, kind: 'file' }, caller);
const posted = (purpose?: 'profile-picture') => upload(service, caller, png, purpose);
const shown = ({ path }: Pick<Picture, 'path'>) => keysIn(buckets.public, `${path}/`);
const staged = () => keysIn(buckets.staging, `${caller.uid}/`);
const sweep = () => replica.remover.sweep(new AbortController().signal);
const age = (id: string) =>
  query("UPDATE upload SET remove_after = now() - interval '1 year' WHERE id = $1", [id]);
/** Lets the lease end, as if the process was suspended and did not renew it. */
const endLease = (id: string) => {
  jest.spyOn(service.app.get(MediaRepository), 'renewCheck').mockResolvedValue(false);
  return query("UPDATE upload SET checking_until = now() - interval '1 second' WHERE id = $1", [id]);
};

async function rowOf(id: string) {
  const [row] = await query<{ state: string; path: string }>(
    `SELECT path, CASE WHEN removing_until IS NOT NULL THEN 'removing' WHEN refusal IS NOT NULL THEN 'refused'
                       WHEN picture IS NOT NULL OR file IS NOT NULL THEN 'ready'
                       WHEN checking_until > now() THEN 'checking' ELSE 'granted' END AS state
       FROM upload WHERE id = $1`,
    [id],
  );
  return row;
}
const stateOf = async (id: string) => (await rowOf(id))?.state ?? 'gone';

async function showOnProfile(picture: Picture, version = 1): Promise<void> {
  const { uid, username } = caller;
  const pictures = { profileImageId: picture.id, headerImageId: null };
  const creator = { uid, username, displayName: '', ...pictures, version };
  await service.announce(creators.opened, creator);
  const kept = 'SELECT id FROM upload WHERE id = $1 AND remove_after IS NULL';
  await waitFor(async () => expect(await query(kept, [picture.id])).toHaveLength(1), soon);
}

/** Makes every check wait at this step until the test calls `release`. */
function holdAt(step: 'encode' | 'publish') {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const target = service.app.get(step === 'encode' ? PictureEncoder : StorageClient) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  const original = target[step]!.bind(target);
  jest.spyOn(target, step).mockImplementation(async (...args: unknown[]) => {
    begun.resolve();
    await gate.promise;
    return original(...args);
  });
  return { begun: begun.promise, release: gate.resolve };
}

describe('an upload', () => {
  it('changes from granted over checking to ready, and over removing to deleted', async () => {
    const hold = holdAt('encode');
    const id = await posted();
    expect(await stateOf(id)).toBe('granted');
    const answer = complete(id);
    await hold.begun;
    expect(await stateOf(id)).toBe('checking');
    hold.release();
    const picture = await answer;
    expect(await stateOf(id)).toBe('ready');
    await age(id);
    const unpublish = jest.spyOn(replica.storage, 'unpublish').mockRejectedValueOnce(new Error('down'));
    await sweep();
    expect(await stateOf(id)).toBe('removing');
    unpublish.mockRestore();
    for (const ask of [
      () => complete(id),
      () => service.ask(media.resolve, { id, purpose: 'offering-cover' }, caller),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    // Makes the next attempt due, which the refused removal has postponed.
    await query('UPDATE upload SET removing_until = now() WHERE id = $1', [id]);
    await sweep();
    expect([await stateOf(id), await shown(picture)]).toEqual(['gone', []]);
  });

  it('that is no picture is refused and leaves no object', async () => {
    const id = await upload(service, caller, Buffer.from('no picture'));
    await expect(complete(id)).rejects.toMatchObject({ code: 'unsupported_picture' });
    expect([await stateOf(id), await staged()]).toEqual(['refused', []]);
  });

  it('is granted again after a failed check', async () => {
    jest.spyOn(service.app.get(StorageClient), 'publish').mockRejectedValueOnce(new Error('down'));
    const id = await posted();
    await expect(complete(id)).rejects.toMatchObject({ code: 'internal' });
    expect(await stateOf(id)).toBe('granted');
    await complete(id);
    expect(await stateOf(id)).toBe('ready');
  });

  it('that has expired counts as removed before it is removed', async () => {
    const id = await posted();
    await age(id);
    await expect(complete(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await stateOf(id)).toBe('granted');
  });

  it('is checked once by two replicas with concurrent requests', async () => {
    const encodes = [service.app.get(PictureEncoder), replica.encoder].map((encoder) =>
      jest.spyOn(encoder, 'encode'),
    );
    const id = await posted();
    const answers = await Promise.all([
      complete(id),
      replica.service.complete(id, 'picture', caller),
      complete(id),
    ]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(encodes.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
  });

  it('is taken over when the lease of a crashed replica ends', async () => {
    const [picture, file] = [await posted(), await uploadFile(service, caller, randomBytes(100))];
    // Leases the uploads without renewing the leases, as if the replica had crashed.
    for (const id of [picture, file])
      expect(await replica.uploads.beginCheck(id, 60_000, 0)).toMatchObject({ id });
    expect([await stateOf(picture), await stateOf(file)]).toEqual(['checking', 'checking']);
    for (const id of [picture, file]) await endLease(id);
    jest.restoreAllMocks();
    const answers = await Promise.all([complete(picture), completeFile(file)]);
    expect(answers.map(({ id }) => id)).toEqual([picture, file]);
  });
});

describe('a form that is posted again', () => {
  it('after the completion leaves no object', async () => {
    const grant = await service.ask(media.grant, request(), caller);
    await post(grant, png);
    const picture = await complete(grant.id);
    expect((await post(grant, png)).status).toBe(204);
    expect(await staged()).toHaveLength(1);
    await sweep();
    expect(await staged()).toEqual([]);
    expect(await shown(picture)).toHaveLength(2);
  });

  it('after the removal of its upload leaves no object', async () => {
    const grant = await service.ask(media.grant, request(), caller);
    await age(grant.id);
    await sweep();
    expect((await post(grant, png)).status).toBe(204);
    await sweep();
    expect(await staged()).toEqual([]);
  });

  it('before the completion is kept', async () => {
    const grant = await service.ask(media.grant, request(), caller);
    await post(grant, png);
    await post(grant, png);
    await sweep();
    await expect(complete(grant.id)).resolves.toMatchObject({ id: grant.id });
  });
});

describe('a lease that has ended', () => {
  it('deletes no object in use', async () => {
    const hold = holdAt('encode');
    const id = await posted('profile-picture');
    const late = complete(id);
    await hold.begun;
    await endLease(id);
    const picture = Picture.parse(await replica.service.complete(id, 'picture', caller));
    await showOnProfile(picture);
    hold.release();
    expect(await late).toEqual(picture);
    await sweep();
    expect(await stateOf(id)).toBe('ready');
    expect(await shown(picture)).toHaveLength(4);
  });

  it('leaves no object of an upload that was removed during the check', async () => {
    const hold = holdAt('publish');
    const id = await posted();
    const path = (await rowOf(id))!.path;
    const late = complete(id);
    await hold.begun;
    await endLease(id);
    await age(id);
    await sweep();
    expect(await stateOf(id)).toBe('gone');
    hold.release();
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
    expect([await shown({ path }), await staged()]).toEqual([[], []]);
  });

  it('causes no removal during a running check', async () => {
    const hold = holdAt('encode');
    const id = await posted();
    const answer = complete(id);
    await hold.begun;
    await age(id);
    await sweep();
    expect(await stateOf(id)).toBe('checking');
    hold.release();
    await answer;
    // The upload has expired during the check, so that the sweeper may remove it.
    await sweep();
    expect(await stateOf(id)).toBe('gone');
  });

  it('of a hold removes no upload in use', async () => {
    const id = await posted('profile-picture');
    const picture = await complete(id);
    await showOnProfile(picture);
    await age(id);
    await sweep();
    expect(await shown(picture)).toHaveLength(4);
  });
});
