import { type Caller, media } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { makeCaller, requestSubjects, type ServiceUnderTest } from '@stoa/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PictureEncoder } from '../../src/pictures/picture-encoder.ts';
import { StorageClient } from '../../src/storage/storage.client.ts';
import {
  buckets,
  completePicture,
  keysIn,
  post,
  publicEndpoint,
  request,
  startMedia,
  store,
  upload,
} from '../media-under-test.ts';
import * as sample from '../sample-pictures.ts';

let service: ServiceUnderTest;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  service = await startMedia();
  png = await sample.plain({ width: 700, height: 350 }).png().toBuffer();
});
afterAll(() => service.stop());

function complete(id: string, by = caller) {
  return completePicture(service, by, id);
}

async function bytesOf(key: string): Promise<Response> {
  return fetch(`${publicEndpoint}/${buckets.public}/${key}`);
}

it('answers every request of its contract', () => {
  expect(service.handled()).toEqual(requestSubjects(media));
});

describe('an upload', () => {
  beforeAll(() => {
    caller = makeCaller();
  });

  it.each([
    ['offering-cover', [128, 192, 320, 640, 700], /^offering_images\/[^/]+\/\d+_[^/]+$/, 2],
    ['profile-picture', [96, 192, 256, 384, 700], /^profile_pictures\/[^/]+\/[^/]+$/, 2],
    ['profile-header', [480, 700], /^profile_pictures\/[^/]+\/header_[^/]+$/, 3],
  ] as const)(
    'for %s becomes public variants with immutable caching',
    async (purpose, widths, path, ratio) => {
      const id = await upload(service, caller, png, purpose);
      const picture = await complete(id);
      expect(picture).toMatchObject({
        id,
        widths,
        width: widths.at(-1),
        height: Math.round(widths.at(-1)! / ratio),
      });
      expect(picture.path).toMatch(path);
      expect(picture.path).toContain(caller.uid);
      const keys = widths.flatMap((width) => [
        `${picture.path}/${width}.avif`,
        `${picture.path}/${width}.webp`,
      ]);
      expect(await keysIn(buckets.public, `${picture.path}/`)).toEqual(keys.toSorted());
      for (const key of keys) {
        const response = await bytesOf(key);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('content-type')).toBe(`image/${key.split('.').at(-1)}`);
        const { width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        expect(key).toContain(`/${width}.`);
      }
    },
  );

  it('is never served with its original bytes [media-20]', async () => {
    const id = await upload(service, caller, await sample.rotatedPhotoWithGps());
    const sent = `${publicEndpoint}/${buckets.staging}/${caller.uid}/${id}`;
    expect((await fetch(sent)).status).toBe(403);
    const { path } = await complete(id);
    expect(await keysIn(buckets.staging, `${caller.uid}/${id}`)).toEqual([]);
    const shown = Buffer.from(await (await bytesOf(`${path}/320.webp`)).arrayBuffer());
    const { exif, width = 0, height = 0 } = await sharp(shown).metadata();
    expect(exif).toBeUndefined();
    expect(height).toBe(width * 2);
  });

  it('completed repeatedly and concurrently is encoded once (idempotent)', async () => {
    const encode = jest.spyOn(service.app.get(PictureEncoder), 'encode');
    const id = await upload(service, caller, png);
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(id)));
    const again = await complete(id);
    for (const picture of answers) expect(picture).toEqual(again);
    expect(encode).toHaveBeenCalledTimes(1);
    encode.mockRestore();
    expect(await keysIn(buckets.public, again.path)).toHaveLength(10);
  });

  it('is completed by a retry after a crash amid the variants', async () => {
    const publish = jest.spyOn(service.app.get(StorageClient), 'publish');
    publish.mockImplementationOnce(async () => Promise.reject(new Error('killed')));
    const id = await upload(service, caller, png);
    await expect(complete(id)).rejects.toMatchObject({ code: 'internal' });
    const { path } = await complete(id);
    expect(await keysIn(buckets.public, path)).toHaveLength(10);
  });

  it('is completed by a retry after a crash before the posted file was deleted', async () => {
    const discard = jest.spyOn(service.app.get(StorageClient), 'discardPosted');
    discard.mockImplementationOnce(async () => Promise.reject(new Error('killed')));
    const id = await upload(service, caller, png);
    const picture = await complete(id);
    expect(await keysIn(buckets.staging, `${caller.uid}/${id}`)).toHaveLength(1);
    expect(await complete(id)).toEqual(picture);
    expect(await keysIn(buckets.staging, `${caller.uid}/${id}`)).toEqual([]);
  });

  it('cannot be overwritten once it is completed', async () => {
    const grant = await service.ask(media.grant, request(), caller);
    await post(grant, png);
    const picture = await complete(grant.id);
    const { status } = await post(
      grant,
      await sample.plain({ width: 50, height: 50 }, '#ff0000').png().toBuffer(),
    );
    expect(status).toBe(204);
    expect(await complete(grant.id)).toEqual(picture);
    expect(await keysIn(buckets.staging, caller.uid)).toEqual([]);
  });
});

describe('refuses', () => {
  beforeAll(() => {
    caller = makeCaller();
  });

  it('another user with not_found', async () => {
    const id = await upload(service, caller, png);
    const missing = { code: 'not_found', message: 'Upload not found.' };
    await expect(complete(id, makeCaller())).rejects.toMatchObject(missing);
    await expect(complete(crypto.randomUUID())).rejects.toMatchObject(missing);
    await expect(service.ask(media.complete, { id })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('a file that has not arrived [media-21]', async () => {
    const { id } = await service.ask(media.grant, request(), caller);
    const early = { code: 'not_found', message: expect.stringContaining('has not arrived yet') };
    await expect(complete(id)).rejects.toMatchObject(early);
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['SVG', () => sample.svg],
    ['HTML', () => sample.html],
    ['GIF', sample.gif],
    ['half a JPEG', async () => (await sample.makePhoto({ width: 600, height: 400 })).subarray(0, 20_000)],
    ['one column of 39 million pixels', () => sample.pngDeclaring({ width: 1, height: 39_000_000 })],
    ['a decompression bomb', () => sample.pngDeclaring({ width: 30_000, height: 30_000 })],
  ])('%s posted as a PNG, publishing nothing', async (_, bytes) => {
    const id = await upload(service, caller, await bytes());
    for (let time = 0; time < 2; time += 1) {
      await expect(complete(id)).rejects.toMatchObject({ code: 'unsupported_picture' });
    }
    expect(await keysIn(buckets.staging, `${caller.uid}/${id}`)).toEqual([]);
    expect(await keysIn(buckets.public, `offering_images/${caller.uid}/`)).toEqual([]);
  });

  it('a picture whose second check times out', async () => {
    const encode = jest.spyOn(service.app.get(PictureEncoder), 'encode');
    const tooLong = new Refusal('timeout', 'Too long.');
    encode.mockRejectedValueOnce(tooLong).mockRejectedValueOnce(tooLong);
    const id = await upload(service, caller, png);
    await expect(complete(id)).rejects.toMatchObject({ code: 'timeout' });
    const verdict = { code: 'unsupported_picture', message: expect.stringContaining('too much time') };
    await expect(complete(id)).rejects.toMatchObject(verdict);
    await expect(complete(id)).rejects.toMatchObject(verdict);
    expect(encode).toHaveBeenCalledTimes(2);
    encode.mockRestore();
  });

  it('a file over the limit that bypassed the policy', async () => {
    const { id } = await service.ask(media.grant, request({ purpose: 'profile-picture' }), caller);
    await store.putObject(buckets.staging, `${caller.uid}/${id}`, Buffer.alloc(3_000_000));
    const message = 'Profile picture must be smaller than 2MB.';
    await expect(complete(id)).rejects.toMatchObject({ code: 'too_large', message });
  });

  it('a size or type that the purpose does not accept, before granting', async () => {
    const tooLarge = service.ask(media.grant, request({ size: 6_000_000 }), caller);
    const fields = [{ field: 'size', message: 'Cover image must be smaller than 5MB.' }];
    await expect(tooLarge).rejects.toMatchObject({ code: 'invalid_input', fields });
    const contentType = 'image/svg+xml' as 'image/png';
    const wrongType = service.ask(media.grant, request({ contentType }), caller);
    await expect(wrongType).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('a twenty-first unfinished upload, for concurrent requests too [media-22]', async () => {
    const eager = makeCaller();
    const requests = Array.from({ length: 25 }, () => service.ask(media.grant, request(), eager));
    const refused = (await Promise.allSettled(requests)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason.code).toBe('rate_limited');
    await expect(service.ask(media.grant, request(), makeCaller())).resolves.toHaveProperty('id');
  });
});

describe('resolve', () => {
  it("returns the caller's own completed picture of that purpose and no other", async () => {
    caller = makeCaller();
    const id = await upload(service, caller, png);
    const missing = { code: 'not_found', message: 'Picture not found.' };
    const resolve = (purpose: 'offering-cover' | 'profile-picture', by = caller) =>
      service.ask(media.resolve, { id, purpose }, by);
    await expect(resolve('offering-cover')).rejects.toMatchObject(missing);
    const picture = await complete(id);
    expect(await resolve('offering-cover')).toEqual(picture);
    await expect(resolve('profile-picture')).rejects.toMatchObject(missing);
    await expect(resolve('offering-cover', makeCaller())).rejects.toMatchObject(missing);
  });
});
