import { type Caller, limits, media, type OfferingFacts, offerings, StoredFile } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageClient } from '../../src/storage/storage.client.ts';
import {
  buckets,
  completePicture,
  fileRequest,
  keysIn,
  post,
  publicEndpoint,
  request,
  startMedia,
  store,
  upload,
  uploadFile,
} from '../media-under-test.ts';
import { plain } from '../sample-pictures.ts';

const linkLifeMs = 2000;
const soon = { timeout: 10_000, interval: 50 };
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '250', FILE_LINK_MS: `${linkLifeMs}` });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

const completeFile = async (id: string, by = caller) =>
  StoredFile.parse(await service.ask(media.complete, { id, kind: 'file' }, by));
const link = (id: string, uid = caller.uid) => service.ask(media.linkFile, { id, uid });
const keyOf = ({ id }: StoredFile) => `offering_files/${caller.uid}/${id}`;
const kept = async (file: StoredFile) => (await keysIn(buckets.files, keyOf(file))).length > 0;

async function aFile(bytes = randomBytes(1000), filename?: string): Promise<StoredFile> {
  return completeFile(await uploadFile(service, caller, bytes, filename));
}

describe('a file', () => {
  it('is downloaded byte for byte by a link, as an attachment [media-18]', async () => {
    const bytes = Buffer.concat([Buffer.from('<script>alert(1)</script>'), randomBytes(50_000)]);
    const file = await aFile(bytes, 'Zwölf „Briefe“.html');
    expect(file).toMatchObject({ filename: 'Zwölf „Briefe“.html', size: bytes.length });
    const { url } = await link(file.id);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    const disposition = response.headers.get('content-disposition');
    expect(disposition).toMatch(/^attachment; filename="Zw.lf .*"; filename\*=UTF-8''Zw%C3%B6lf/);
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  it('is moved out of the staging bucket, as application/octet-stream [media-19]', async () => {
    const { contentType: _, ...file } = await aFile(randomBytes(10), 'page.html');
    expect(await keysIn(buckets.staging, caller.uid)).toEqual([]);
    const { metaData } = await store.statObject(buckets.files, `offering_files/${caller.uid}/${file.id}`);
    expect(metaData).toMatchObject({ 'content-type': 'application/octet-stream' });
    expect(metaData['content-disposition']).toBe('attachment');
  });

  it('is refused without the signature and after the link expired', async () => {
    const file = await aFile();
    const { url, expiresAt } = await link(file.id);
    expect((await fetch(`${publicEndpoint}/${buckets.files}/${keyOf(file)}`)).status).toBe(403);
    const renamed = url.replace('letters.pdf', 'letters.exe');
    expect(renamed).not.toBe(url);
    expect((await fetch(renamed)).status).toBe(403);
    await waitFor(async () => expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt) + 1000), soon);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch((await link(file.id)).url)).status).toBe(200);
  });

  it('is completed once by concurrent and repeated calls (idempotent)', async () => {
    const id = await uploadFile(service, caller, randomBytes(100));
    const copies = jest.spyOn(service.app.get(StorageClient), 'keepFile');
    const answers = await Promise.all([completeFile(id), completeFile(id), completeFile(id)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(copies).toHaveBeenCalledTimes(1);
    copies.mockRestore();
  });

  it('of another creator is neither completed, resolved nor linked', async () => {
    const id = await uploadFile(service, caller, randomBytes(10));
    const stranger = makeCaller();
    await expect(completeFile(id, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await completeFile(id);
    const resolve = (by: Caller) => service.ask(media.resolve, { id, purpose: 'offering-file' }, by);
    await expect(resolve(stranger)).rejects.toMatchObject({ code: 'not_found', message: 'File not found.' });
    await expect(link(id, stranger.uid)).rejects.toMatchObject({ code: 'not_found' });
    expect(await resolve(caller)).toMatchObject({ id });
  });

  it('cannot be completed as a picture, nor a picture as a file', async () => {
    const file = await aFile();
    const asCover = service.ask(media.resolve, { id: file.id, purpose: 'offering-cover' }, caller);
    await expect(asCover).rejects.toMatchObject({ code: 'not_found' });
    const png = await plain({ width: 10, height: 10 }).png().toBuffer();
    const cover = await upload(service, caller, png);
    await service.ask(media.complete, { id: cover }, caller);
    await expect(
      service.ask(media.resolve, { id: cover, purpose: 'offering-file' }, caller),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(link(cover)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('size', () => {
  it('of 200 MB is granted and one byte more is not', async () => {
    const size = limits.offeringFileBytes;
    expect(size).toBe(209_715_200);
    await expect(service.ask(media.grant, fileRequest({ size }), caller)).resolves.toHaveProperty('id');
    const fields = [{ field: 'size', message: 'The file must not be larger than 200MB.' }];
    const over = service.ask(media.grant, fileRequest({ size: size + 1 }), caller);
    await expect(over).rejects.toMatchObject({ code: 'invalid_input', fields });
  });

  it('announced in the grant is the limit of the store', async () => {
    const grant = await service.ask(media.grant, fileRequest({ size: 1000 }), caller);
    expect((await post(grant, randomBytes(1001))).status).toBe(400);
    await expect(completeFile(grant.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await post(grant, randomBytes(1000))).ok).toBe(true);
    expect(await completeFile(grant.id)).toMatchObject({ size: 1000 });
  });

  it('of files counts towards the quota of unfinished uploads, of pictures not', async () => {
    const size = limits.offeringFileBytes;
    const ask = (changes = {}) => service.ask(media.grant, fileRequest({ size, ...changes }), caller);
    const requests = await Promise.allSettled(Array.from({ length: 12 }, () => ask()));
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(ask({ size: 1 })).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(service.ask(media.grant, request(), caller)).resolves.toHaveProperty('id');
    await expect(service.ask(media.grant, fileRequest({ size }), makeCaller())).resolves.toHaveProperty('id');
  });
});

describe('the file of an offering', () => {
  const facts = (file: StoredFile | null, version: number, id: string, cover?: string): OfferingFacts => {
    return {
      id,
      creatorId: caller.uid,
      coverImageId: cover ?? null,
      fileIds: file ? [file.id] : [],
      publicChange: 0,
      version,
    };
  };

  it('is kept while used, and deleted when replaced, removed or with its offering', async () => {
    const [first, second, third] = [await aFile(), await aFile(), await aFile()];
    const id = randomUUID();
    await service.announce(offerings.published, facts(first, 1, id));
    await service.announce(offerings.changed, facts(second, 2, id));
    await waitFor(async () => expect(await kept(first)).toBe(false), soon);
    expect(await kept(second)).toBe(true);
    await service.announce(offerings.changed, facts(null, 3, id));
    await waitFor(async () => expect(await kept(second)).toBe(false), soon);
    await service.announce(offerings.changed, facts(third, 4, id));
    await service.announce(offerings.removed, facts(third, 5, id));
    await waitFor(async () => expect(await kept(third)).toBe(false), soon);
    await expect(link(third.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('and its cover are attached and deleted independently', async () => {
    const png = await plain({ width: 10, height: 10 }).png().toBuffer();
    const cover = await completePicture(service, caller, await upload(service, caller, png));
    const [first, second] = [await aFile(), await aFile()];
    const id = randomUUID();
    await service.announce(offerings.published, facts(first, 1, id, cover.id));
    await service.announce(offerings.changed, facts(second, 2, id, cover.id));
    await waitFor(async () => expect(await kept(first)).toBe(false), soon);
    expect(await keysIn(buckets.public, cover.path)).not.toEqual([]);
    expect(await kept(second)).toBe(true);
  });

  it('is deleted by the sweeper when the store was down at the event', async () => {
    const file = await aFile();
    const discard = jest.spyOn(service.app.get(StorageClient), 'discardFile');
    discard.mockRejectedValueOnce(new Error('down'));
    const id = randomUUID();
    await service.announce(offerings.published, facts(file, 1, id));
    await service.announce(offerings.removed, facts(file, 2, id));
    // The service retries a failed removal after ten seconds.
    await waitFor(async () => expect(await kept(file)).toBe(false), { ...soon, timeout: 45_000 });
  }, 60_000);
});
