import { makeCaller, waitFor } from '@stoa/testing';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Attachments } from './attachments.repository.ts';
import { AttachmentsService } from './attachments.service.ts';
import type { MediaConfig } from '../media.config.ts';
import type { MediaRepository } from '../uploads/media.repository.ts';
import type { StorageClient } from '../storage/storage.client.ts';
import { UploadRemover } from '../uploads/upload-remover.ts';
import type { Upload } from '../uploads/upload-rows.repository.ts';

const attach = jest.fn<Attachments['attach']>();
const beginRemoval = jest.fn<MediaRepository['beginRemoval']>();
const endRemoval = jest.fn<MediaRepository['endRemoval']>();
const discardPosted = jest.fn<StorageClient['discardPosted']>();
let service: AttachmentsService;

const upload: Upload = {
  ...{ id: 'id', uid: makeCaller().uid, purpose: 'profile-picture', path: 'some/path', size: 9 },
  ...{
    filename: null,
    contentType: null,
    outcome: null,
    checkingUntil: null,
    removeAfter: null,
    timeouts: 0,
  },
  asOf: new Date('2026-01-02T03:04:05.000Z'),
};

beforeEach(() => {
  jest.resetAllMocks();
  attach.mockResolvedValue(['old']);
  beginRemoval.mockResolvedValue([]);
  const uploads = { beginRemoval, endRemoval, renewRemoval: async () => 0 } as unknown as MediaRepository;
  const store = { discardPosted, unpublish: async () => undefined } as unknown as StorageClient;
  const remover = new UploadRemover(uploads, store, {} as MediaConfig);
  service = new AttachmentsService({ attach } as unknown as Attachments, remover);
});

describe('attach', () => {
  const record = { id: 'offering', version: 2 };
  const uses = { 'offering-cover': 'new' };

  it('deletes only the replaced picture', async () => {
    await service.attach(record, uses, 'event');
    await waitFor(() =>
      expect(beginRemoval).toHaveBeenCalledWith(expect.objectContaining({ only: ['old'] })),
    );
  });

  it('succeeds while the object store hangs; the sweeper cleans up later', async () => {
    beginRemoval.mockResolvedValueOnce([upload]);
    const store = Promise.withResolvers<void>();
    discardPosted.mockReturnValueOnce(store.promise);
    await expect(service.attach(record, uses, 'event')).resolves.toBeUndefined();
    // Ends the hanging removal, which would otherwise renew its lease for ever and keep this process alive.
    store.resolve();
    await waitFor(() => expect(endRemoval).toHaveBeenCalledWith('id'));
  });
});
