import { limits, type Picture, type StoredFile, type UploadPurpose } from '@stoa/contracts';
import { Call, Refusal } from '@stoa/messaging';
import { makeCaller } from '@stoa/testing';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { MediaConfig } from '../media.config.ts';
import type { MediaRepository } from './media.repository.ts';
import { MediaService } from './media.service.ts';
import type { PictureEncoder } from '../pictures/picture-encoder.ts';
import type { StorageClient } from '../storage/storage.client.ts';
import { UploadChecker } from './upload-checker.ts';
import type { GrantOutcome } from './upload-quota.ts';
import { UploadRemover } from './upload-remover.ts';
import type { CheckResult, Grant, Upload } from './upload-rows.repository.ts';

const owner = makeCaller();
const picture = { widths: [96], width: 96, height: 96, color: '#112233' };
const variants = [{ width: 96, format: 'avif', bytes: Buffer.from('small') }];

// The database's time. It must not be the same as the time of this process.
const asOf = new Date('2026-01-02T03:04:05.000Z');
const unchecked = { outcome: null, asOf, checkingUntil: null, removeAfter: null, timeouts: 0 };

class Rows {
  readonly all = new Map<string, Upload>();
  room = true;

  async insert(grant: Grant): Promise<GrantOutcome> {
    if (this.room) this.all.set(grant.id, { ...grant, ...unchecked });
    return this.room ? { kind: 'granted', at: asOf } : { kind: 'too many' };
  }

  readClock = async () => asOf;

  async find(id: string): Promise<Upload | null> {
    return this.all.get(id) ?? null;
  }

  beginCheck = (id: string) => this.find(id);
  renewCheck = async () => true;
  abandonCheck = async () => undefined;

  async endCheck(id: string, checked: CheckResult): Promise<boolean> {
    const upload = this.all.get(id)!;
    if (checked.kind === 'timeout') this.all.set(id, { ...upload, timeouts: upload.timeouts + 1 });
    else this.all.set(id, { ...upload, outcome: checked });
    return true;
  }

  holdPicture = jest.fn<() => Promise<Picture | null>>(async () => null);
  holdFile = jest.fn<() => Promise<StoredFile | null>>(async () => null);
  beginRemoval = jest.fn<MediaRepository['beginRemoval']>(async () => []);
  abandonRemoval = jest.fn(async (_: string[]) => undefined);
  putOffRemoval = jest.fn(async (_: string) => undefined);
  renewRemoval = jest.fn(async () => 0);
  endRemoval = jest.fn(async (_: string) => undefined);
  findUnchecked = jest.fn(async () => new Set<string>());
}

let rows: Rows;
let storage: { [K in keyof StorageClient]: ReturnType<typeof jest.fn> };
let encode: ReturnType<typeof jest.fn>;
let service: MediaService;
let remover: UploadRemover;

beforeEach(() => {
  rows = new Rows();
  storage = {
    signPost: jest.fn(async () => ({ url: 'http://store.test/staging', fields: {} })),
    readPosted: jest.fn(async () => Buffer.from('picture')),
    discardPosted: jest.fn(async () => undefined),
    discardPostedBefore: jest.fn(async () => undefined),
    listPosted: jest.fn(async function* () {}),
    publish: jest.fn(async () => undefined),
    unpublish: jest.fn(async () => undefined),
    findPosted: jest.fn(async () => ({ size: 9, etag: 'e' })),
    keepFile: jest.fn(async () => undefined),
    signFile: jest.fn(async () => 'http://store.test/files/signed'),
    discardFile: jest.fn(async () => undefined),
  };
  encode = jest.fn(async () => ({ ...picture, variants }));
  const uploads = rows as unknown as MediaRepository;
  const store = storage as unknown as StorageClient;
  const config = { UNFINISHED_AGE_MS: 1000, UNATTACHED_AGE_MS: 1000, FILE_LINK_MS: 60_000 } as MediaConfig;
  remover = new UploadRemover(uploads, store, config);
  const encoder = { encode } as unknown as PictureEncoder;
  const checker = new UploadChecker(uploads, store, encoder, remover, config);
  service = new MediaService(uploads, store, checker, config);
});

async function granted(purpose: UploadPurpose = 'profile-picture'): Promise<string> {
  const request = { purpose, filename: 'me.png', contentType: 'image/png', size: 9 } as const;
  return (await service.grant(request, new Call(owner))).id;
}

describe('grant', () => {
  it('signs one key, one type and the size limit of the purpose', async () => {
    const id = await granted('offering-cover');
    expect(storage.signPost).toHaveBeenCalledWith({
      key: `${owner.uid}/${id}`,
      contentType: 'application/octet-stream',
      mostBytes: 9,
      expiresAt: new Date(asOf.getTime() + 600_000),
    });
  });

  it('is refused over the quota of unfinished uploads', async () => {
    rows.room = false;
    await expect(granted()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(storage.signPost).not.toHaveBeenCalled();
  });
});

describe('complete', () => {
  it('publishes the variants and deletes the posted file', async () => {
    const id = await granted();
    const path = `profile_pictures/${owner.uid}/${id}`;
    expect(await service.complete(id, 'picture', owner)).toEqual({ id, path, ...picture });
    expect(storage.publish).toHaveBeenCalledWith(`${path}/96.avif`, variants[0]!.bytes, 'image/avif');
    expect(storage.discardPosted).toHaveBeenCalledWith(`${owner.uid}/${id}`);
  });

  it('is idempotent: a repeat encodes nothing', async () => {
    const id = await granted();
    const first = await service.complete(id, 'picture', owner);
    expect(await service.complete(id, 'picture', owner)).toEqual(first);
    expect(encode).toHaveBeenCalledTimes(1);
  });

  it('returns not_found to everyone except the owner', async () => {
    const id = await granted();
    const refusal = { code: 'not_found', message: 'Upload not found.' };
    await expect(service.complete(id, 'picture', makeCaller())).rejects.toMatchObject(refusal);
    expect(storage.readPosted).not.toHaveBeenCalled();
  });

  it('before the file has arrived leaves the upload open', async () => {
    const id = await granted();
    storage.readPosted.mockResolvedValueOnce(null);
    await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.complete(id, 'picture', owner)).resolves.toMatchObject({ id });
  });

  it.each([
    ['profile-picture', 'Profile picture must be smaller than 2MB.'],
    ['offering-cover', 'Cover image must be smaller than 5MB.'],
  ] as const)('refuses a %s that is too large without decoding it', async (purpose, message) => {
    const id = await granted(purpose);
    storage.readPosted.mockImplementation(async (_: string, most: number) => Buffer.alloc(most + 1));
    await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({
      code: 'too_large',
      message,
    });
    expect(encode).not.toHaveBeenCalled();
  });

  it('caches the verdict that a file is no picture', async () => {
    const id = await granted();
    encode.mockRejectedValue(new Refusal('unsupported_picture', 'No.'));
    for (let time = 0; time < 2; time += 1) {
      await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({
        code: 'unsupported_picture',
      });
    }
    expect(encode).toHaveBeenCalledTimes(1);
  });

  it('fails the upload after a second timeout', async () => {
    const id = await granted();
    encode.mockRejectedValue(new Refusal('timeout', 'Too long.'));
    await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({ code: 'timeout' });
    for (let time = 0; time < 2; time += 1) {
      await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({
        code: 'unsupported_picture',
        message: expect.stringContaining('too much time or memory'),
      });
    }
    expect(encode).toHaveBeenCalledTimes(2);
  });

  it('does not cache a failure that is not the fault of the file', async () => {
    const id = await granted();
    storage.publish.mockRejectedValueOnce(new Refusal('unavailable', 'Down.'));
    await expect(service.complete(id, 'picture', owner)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(service.complete(id, 'picture', owner)).resolves.toMatchObject({ id });
  });

  it('checks two concurrently, queues six and refuses further ones', async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, () => granted()));
    const { promise: go, resolve } = Promise.withResolvers<boolean>();
    let most = 0;
    let now = 0;
    encode.mockImplementation(async () => {
      most = Math.max(most, (now += 1));
      await go;
      now -= 1;
      return { ...picture, variants };
    });
    const requests = ids.map((id) => service.complete(id, 'picture', owner));
    await expect(requests.at(-1)).rejects.toMatchObject({ code: 'unavailable' });
    resolve(true);
    await Promise.all(requests.slice(0, -1));
    expect(most).toBe(2);
  });
});

describe('a file', () => {
  const file = { purpose: 'offering-file', filename: '../../Letters.PDF', contentType: '', size: 9 } as const;

  async function grantedFile(): Promise<string> {
    return (await service.grant(file, new Call(owner))).id;
  }

  it('is posted as application/octet-stream, up to the announced size', async () => {
    const id = await grantedFile();
    expect(storage.signPost).toHaveBeenCalledWith({
      key: `${owner.uid}/${id}`,
      contentType: 'application/octet-stream',
      mostBytes: 9,
      expiresAt: expect.any(Date),
    });
  });

  it('is copied within the store under its own name, and never read', async () => {
    const id = await grantedFile();
    const stored = { id, filename: 'Letters.PDF', size: 9, contentType: 'application/octet-stream' };
    expect(await service.complete(id, 'file', owner)).toEqual(stored);
    const [from, to] = [`${owner.uid}/${id}`, `offering_files/${owner.uid}/${id}`];
    expect(storage.keepFile).toHaveBeenCalledWith(from, { size: 9, etag: 'e' }, to);
    expect(storage.discardPosted).toHaveBeenCalledWith(from);
    expect(storage.readPosted).not.toHaveBeenCalled();
    expect(await service.complete(id, 'file', owner)).toEqual(stored);
    expect(storage.keepFile).toHaveBeenCalledTimes(1);
  });

  it('of 200 MB is accepted', async () => {
    const id = await grantedFile();
    storage.findPosted.mockResolvedValue({ size: limits.offeringFileBytes, etag: 'e' });
    expect(await service.complete(id, 'file', owner)).toMatchObject({ size: limits.offeringFileBytes });
  });

  it('of one byte more is refused and not copied', async () => {
    const id = await grantedFile();
    storage.findPosted.mockResolvedValue({ size: limits.offeringFileBytes + 1, etag: 'e' });
    const message = 'The file must not be larger than 200MB.';
    await expect(service.complete(id, 'file', owner)).rejects.toMatchObject({ code: 'too_large', message });
    expect(storage.keepFile).not.toHaveBeenCalled();
  });

  it('cannot be completed as a picture, nor a picture as a file', async () => {
    const [asFile, asPicture] = [await grantedFile(), await granted()];
    const missing = { code: 'not_found', message: 'Upload not found.' };
    await expect(service.complete(asFile, 'picture', owner)).rejects.toMatchObject(missing);
    await expect(service.complete(asPicture, 'file', owner)).rejects.toMatchObject(missing);
    expect(storage.findPosted).not.toHaveBeenCalled();
    expect(storage.readPosted).not.toHaveBeenCalled();
  });

  it('gets a link only when it exists and belongs to that creator', async () => {
    const id = await grantedFile();
    const missing = { code: 'not_found', message: 'File not found.' };
    await expect(service.linkFile(id, owner.uid)).rejects.toMatchObject(missing);
    await service.complete(id, 'file', owner);
    await expect(service.linkFile(id, makeCaller().uid)).rejects.toMatchObject(missing);
    expect(await service.linkFile(id, owner.uid)).toMatchObject({ url: 'http://store.test/files/signed' });
    const path = `offering_files/${owner.uid}/${id}`;
    expect(storage.signFile).toHaveBeenCalledWith(path, 'Letters.PDF', 61, asOf);
  });

  it('gets a link that lives as long as the download takes at 1 Mbit/s [media-6]', async () => {
    storage.findPosted.mockImplementation(async () => ({ size: limits.offeringFileBytes, etag: 'e' }));
    const id = await grantedFile();
    await service.complete(id, 'file', owner);
    const { expiresAt } = await service.linkFile(id, owner.uid);
    expect(Date.parse(expiresAt) - asOf.getTime()).toBeGreaterThan(60_000 + 27 * 60_000);
  });
});

describe('resolve', () => {
  it('refuses unknown uploads', async () => {
    const refusal = { code: 'not_found', message: 'Picture not found.' };
    await expect(service.resolve('id', 'offering-cover', owner)).rejects.toMatchObject(refusal);
  });
});

function aRow(): Upload {
  const facts = { filename: null, contentType: null, size: 9, ...unchecked };
  return { id: 'id', uid: owner.uid, purpose: 'profile-picture', path: 'some/path', ...facts };
}

describe('sweep', () => {
  const sweep = () => remover.sweep(new AbortController().signal);

  it('deletes batch by batch until nothing is left, public and posted objects', async () => {
    rows.beginRemoval.mockResolvedValueOnce(Array.from({ length: 20 }, aRow));
    const yesterday = new Date(asOf.getTime() - 86_400_000);
    await sweep();
    expect(storage.discardPostedBefore).toHaveBeenCalledWith(yesterday);
    expect(rows.beginRemoval).toHaveBeenCalledTimes(2);
    expect(storage.discardPosted).toHaveBeenCalledWith(`${owner.uid}/id`);
    expect(storage.unpublish).toHaveBeenCalledWith('some/path');
    expect(rows.endRemoval).toHaveBeenCalledTimes(20);
  });

  it('postpones a failed removal and continues with the rest', async () => {
    rows.beginRemoval.mockResolvedValueOnce([
      { ...aRow(), id: 'one' },
      { ...aRow(), id: 'two' },
      { ...aRow(), id: 'three' },
    ]);
    storage.unpublish
      .mockResolvedValueOnce(undefined)
      .mockRejectedValueOnce(new Refusal('unavailable', 'Down.'));
    await sweep();
    expect(rows.endRemoval.mock.calls).toEqual([['one'], ['three']]);
    expect(rows.putOffRemoval.mock.calls).toEqual([['two']]);
  });
});
