import {
  type Caller,
  type FileLink,
  type Picture,
  type PicturePurpose,
  type StoredFile,
  uploadBytes,
  type UploadGrant,
  type UploadPurpose,
  type UploadRequest,
  uploadTooLarge,
} from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { attributes, count, metrics } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { plainMediaType, safeFilename } from './file.name.ts';
import { MediaConfig } from './media.config.ts';
import {
  type Checked,
  type Grant,
  MediaRepository,
  type Outcome,
  type Owner,
  type Upload,
  type Uses,
} from './media.repository.ts';
import { PictureEncoder, pictureTooComplex } from './picture.encoder.ts';
import { binaryContentType, StorageClient } from './storage.client.ts';
import { fileTransferMs, grantLifeMs, quotaOf } from './upload.quota.ts';

const variantWidthsOf: Record<PicturePurpose, readonly number[]> = {
  'profile-picture': [96, 192, 384, 768],
  'offering-cover': [320, 640, 960, 1280],
};

const minute = 60_000;
// Between the gateway's question for an upload and the event of the record that uses it lie seconds.
const holdMs = 5 * minute;
// Copying costs the store something and this process nothing, so it does not wait behind pictures. Each move and
// each check keeps a connection of the pool (8); half of them stay for grants, events and the sweeper. Those that wait
// keep a place among the requests (REQUEST_CONCURRENCY, 32): with a store that hangs, half of them stay for links and grants.
const movesAtOnce = 2;
const checksAtOnce = 2;
const checksWaiting = 6;
const sweepBatch = 20;
const sweepBatches = 50;
// Of what the rules of the bucket remove, where the store has such rules.
const stagingAgeMs = 24 * 60 * minute;

@Injectable()
export class MediaService {
  private readonly logger = new Logger(MediaService.name);
  private readonly checks = pLimit(checksAtOnce);
  private readonly moves = pLimit(movesAtOnce);

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly encoder: PictureEncoder,
    private readonly config: MediaConfig,
  ) {}

  async grant(request: UploadRequest, { uid }: Caller): Promise<UploadGrant> {
    const { purpose } = request;
    const id = randomUUID();
    const grant: Grant = { id, uid, purpose, path: pathOf(purpose, uid, id), ...described(request) };
    const quota = { ...quotaOf(purpose), since: fromNow(-grantLifeMs) };
    if (!(await this.uploads.insert(grant, fromNow(this.unfinishedAge(purpose)), quota))) {
      throw new Refusal('rate_limited', 'Too many unfinished uploads. Please try again in a few minutes.');
    }
    const expiresAt = fromNow(grantLifeMs);
    const terms = { key: stagingKey(grant), expiresAt, ...postTerms(request) };
    return { id, ...(await this.storage.signPost(terms)), expiresAt: expiresAt.toISOString() };
  }

  async complete(id: string, caller: Caller): Promise<Picture> {
    const outcome = await this.finish(id, (purpose) => purpose !== 'offering-file', caller);
    if (outcome.kind !== 'picture') throw uploadNotFound();
    return outcome.picture;
  }

  async completeFile(id: string, caller: Caller): Promise<StoredFile> {
    const outcome = await this.finish(id, (purpose) => purpose === 'offering-file', caller);
    if (outcome.kind !== 'file') throw uploadNotFound();
    return outcome.file;
  }

  async resolve(id: string, purpose: PicturePurpose, { uid }: Caller): Promise<Picture> {
    const picture = await this.uploads.holdPicture({ id, uid, purpose }, fromNow(holdMs));
    if (!picture) throw new Refusal('not_found', 'Picture not found.');
    return picture;
  }

  async resolveFile(id: string, { uid }: Caller): Promise<StoredFile> {
    const file = await this.uploads.holdFile({ id, uid }, fromNow(holdMs));
    if (!file) throw fileNotFound();
    return file;
  }

  async linkFile(id: string, uid: string): Promise<FileLink> {
    const upload = await this.uploads.find(id);
    if (!upload || upload.uid !== uid || upload.outcome?.kind !== 'file') throw fileNotFound();
    const lifeMs = this.config.FILE_LINK_MS;
    const { filename } = upload.outcome.file;
    const url = await this.storage.signFile(upload.path, filename, Math.ceil(lifeMs / 1000));
    return { url, expiresAt: fromNow(lifeMs).toISOString() };
  }

  /** Follows which uploads `owner` uses, and removes those it used before. */
  async attach(owner: Owner, uses: Uses, eventId: string): Promise<void> {
    await this.removeNow(await this.uploads.attach(owner, uses, eventId));
  }

  /** The account is gone: so is all that it ever uploaded, used or not. */
  async close(uid: string, eventId: string): Promise<void> {
    await this.removeNow(await this.uploads.close(uid, eventId));
  }

  /** Removes pictures and files that nothing uses, uploads that were never completed and what else is left of them. */
  async sweep(stopping: AbortSignal): Promise<void> {
    for (let batch = 0; batch < sweepBatches; batch += 1) {
      if (stopping.aborted) return;
      if ((await this.uploads.removeUnused(this.remove, { most: sweepBatch })) < sweepBatch) break;
    }
    // A form may be posted again after its upload was completed, and not every store has a lifecycle.
    await this.storage.discardPostedBefore(fromNow(-Math.max(stagingAgeMs, this.config.UNFINISHED_AGE_MS)));
  }

  private async finish(
    id: string,
    isTheirs: (purpose: UploadPurpose) => boolean,
    caller: Caller,
  ): Promise<Outcome> {
    const upload = await this.uploads.find(id);
    if (!upload || upload.uid !== caller.uid || !isTheirs(upload.purpose)) throw uploadNotFound();
    const outcome = upload.outcome ?? (await this.settle(upload));
    // Also when asked again: the first time may have ended between the outcome and this.
    await this.discard(upload);
    if (outcome.kind === 'refused') throw new Refusal(outcome.refusal.code, outcome.refusal.message);
    return outcome;
  }

  private async removeNow(unused: string[]): Promise<void> {
    for (let first = 0; first < unused.length; first += sweepBatch) {
      const only = unused.slice(first, first + sweepBatch);
      await this.uploads.removeUnused(this.remove, { most: only.length, only }).catch((error: unknown) => {
        this.logger.warn(`uploads ${only.join(', ')} are left to the sweeper: ${String(error)}`);
      });
    }
  }

  private async settle(upload: Upload): Promise<Outcome> {
    const { purpose } = upload;
    const queue = purpose === 'offering-file' ? this.moves : this.checks;
    if (queue.pendingCount >= checksWaiting) {
      throw new Refusal('unavailable', 'Too many uploads are being checked. Please try again in a moment.');
    }
    const removeAfter = fromNow(this.config.UNATTACHED_AGE_MS);
    const check = (upload: Upload) =>
      purpose === 'offering-file' ? this.checkFile(upload) : this.checkPicture(upload, purpose);
    const outcome = await queue(() => this.uploads.settle(upload.id, removeAfter, check));
    if (!outcome) throw uploadNotFound();
    if (outcome.kind === 'timeout') {
      throw new Refusal('timeout', 'Reading this picture took too long. Please try again.');
    }
    return outcome;
  }

  private async checkFile(upload: Upload): Promise<Outcome> {
    const posted = await this.storage.findPosted(stagingKey(upload));
    if (!posted) throw notArrived();
    if (posted.size > uploadBytes[upload.purpose]) {
      return refused('too_large', uploadTooLarge[upload.purpose]);
    }
    await this.storage.keepFile(stagingKey(upload), posted, upload.path);
    count(metrics.uploadsCompleted, { [attributes.uploadPurpose]: upload.purpose });
    const { id, filename, contentType } = upload;
    const names = { filename: filename ?? safeFilename(''), contentType: contentType ?? binaryContentType };
    return { kind: 'file', file: { id, ...names, size: posted.size } };
  }

  private async checkPicture(upload: Upload, purpose: PicturePurpose): Promise<Checked> {
    const mostBytes = uploadBytes[purpose];
    const bytes = await this.storage.readPosted(stagingKey(upload), mostBytes);
    if (!bytes) throw notArrived();
    if (bytes.length > mostBytes) return refused('too_large', uploadTooLarge[purpose]);
    try {
      return { kind: 'picture', picture: await this.publish(upload, purpose, bytes) };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unsupported_picture') {
        return refused(error.code, error.message);
      }
      if (error instanceof Refusal && error.code === 'timeout') {
        // The machine may have been busy once.
        return upload.timeouts === 0
          ? { kind: 'timeout' }
          : refused('unsupported_picture', pictureTooComplex().message);
      }
      throw error;
    }
  }

  private async publish({ id, path }: Upload, purpose: PicturePurpose, bytes: Buffer): Promise<Picture> {
    const { variants, ...picture } = await this.encoder.encode(bytes, variantWidthsOf[purpose]);
    await Promise.all(
      variants.map(({ width, format, bytes }) =>
        this.storage.publish(`${path}/${width}.${format}`, bytes, `image/${format}`),
      ),
    );
    count(metrics.uploadsCompleted, { [attributes.uploadPurpose]: purpose });
    return { id, path, ...picture };
  }

  private readonly remove = async (upload: Upload): Promise<void> => {
    await this.storage.discardPosted(stagingKey(upload));
    if (upload.purpose === 'offering-file') await this.storage.discardFile(upload.path);
    else await this.storage.unpublish(upload.path);
  };

  private unfinishedAge(purpose: UploadPurpose): number {
    const { UNFINISHED_AGE_MS } = this.config;
    return purpose === 'offering-file' ? Math.min(fileTransferMs, UNFINISHED_AGE_MS) : UNFINISHED_AGE_MS;
  }

  private async discard(upload: Upload): Promise<void> {
    await this.storage.discardPosted(stagingKey(upload)).catch((error: unknown) => {
      this.logger.warn(`upload ${upload.id} is left in the staging bucket: ${String(error)}`);
    });
  }
}

function stagingKey({ uid, id }: Pick<Grant, 'uid' | 'id'>): string {
  return `${uid}/${id}`;
}

function pathOf(purpose: UploadPurpose, uid: string, id: string): string {
  switch (purpose) {
    case 'profile-picture':
      return `profile_pictures/${uid}/${id}`;
    case 'offering-cover':
      return `offering_images/${uid}/${Date.now()}_${id}`;
    case 'offering-file':
      return `offering_files/${uid}/${id}`;
  }
}

function described({ purpose, filename, contentType, size }: UploadRequest) {
  if (purpose !== 'offering-file') return { filename: null, contentType: null, size };
  return { filename: safeFilename(filename), contentType: plainMediaType(contentType), size };
}

// The quota counts files by the size that was announced, so the store takes no more than that.
function postTerms({ purpose, contentType, size }: UploadRequest) {
  if (purpose === 'offering-file') return { contentType: binaryContentType, mostBytes: size };
  return { contentType, mostBytes: uploadBytes[purpose] };
}

function refused(code: Refusal['code'], message: string): Outcome {
  return { kind: 'refused', refusal: { code, message } };
}

function notArrived(): Refusal {
  return new Refusal('not_found', 'The file has not arrived yet. Upload it first, then complete.');
}

function fileNotFound(): Refusal {
  return new Refusal('not_found', 'File not found.');
}

function fromNow(ms: number): Date {
  return new Date(Date.now() + ms);
}

function uploadNotFound(): Refusal {
  return new Refusal('not_found', 'Upload not found.');
}
