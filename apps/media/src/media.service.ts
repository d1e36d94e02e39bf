import {
  type Caller,
  type Picture,
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
import { MediaConfig } from './media.config.ts';
import { type Grant, MediaRepository, type Outcome, type Owner, type Upload } from './media.repository.ts';
import { PictureEncoder } from './picture.encoder.ts';
import { StorageClient } from './storage.client.ts';

export const variantWidthsOf: Record<UploadPurpose, readonly number[]> = {
  'profile-picture': [96, 192, 384, 768],
  'offering-cover': [320, 640, 960, 1280],
};

const minute = 60_000;
const grantLifeMs = 10 * minute;
const unfinishedGrants = 20;
const unusedUploads = 100;
// Between the gateway's question for a picture and the event of the record that uses it lie seconds.
const holdMs = 5 * minute;
const checksAtOnce = 2;
const checksWaiting = 16;
const sweepBatch = 20;
const sweepBatches = 50;

@Injectable()
export class MediaService {
  private readonly logger = new Logger(MediaService.name);
  private readonly checks = pLimit(checksAtOnce);

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly encoder: PictureEncoder,
    private readonly config: MediaConfig,
  ) {}

  async grant({ purpose, contentType }: UploadRequest, { uid }: Caller): Promise<UploadGrant> {
    const id = randomUUID();
    const grant = { id, uid, purpose, path: pathOf(purpose, uid, id) };
    const bound = { most: unfinishedGrants, since: fromNow(-grantLifeMs), mostUnused: unusedUploads };
    if (!(await this.uploads.insert(grant, fromNow(this.config.UNFINISHED_AGE_MS), bound))) {
      throw new Refusal('rate_limited', 'Too many unfinished uploads. Please try again in a few minutes.');
    }
    const expiresAt = fromNow(grantLifeMs);
    const terms = { key: stagingKey(grant), contentType, mostBytes: uploadBytes[purpose], expiresAt };
    return { id, ...(await this.storage.signPost(terms)), expiresAt: expiresAt.toISOString() };
  }

  async complete(id: string, caller: Caller): Promise<Picture> {
    const upload = await this.uploads.find(id);
    if (!upload || upload.uid !== caller.uid) throw uploadNotFound();
    const { picture, refusal } = upload.outcome ?? (await this.settle(upload));
    // Also when asked again: the first time may have ended between the outcome and this.
    await this.discard(upload);
    if (refusal) throw new Refusal(refusal.code, refusal.message);
    return picture;
  }

  async resolve(id: string, purpose: UploadPurpose, { uid }: Caller): Promise<Picture> {
    const picture = await this.uploads.hold({ id, uid, purpose }, fromNow(holdMs));
    if (!picture) throw new Refusal('not_found', 'Picture not found.');
    return picture;
  }

  /** Follows which picture `owner` uses, and removes the one it used before. */
  async attach(owner: Owner, pictureId: string | null, eventId: string): Promise<void> {
    const unused = await this.uploads.attach(owner, pictureId, eventId);
    if (!unused) return;
    await this.uploads.removeUnused(this.remove, { most: 1, only: [unused] }).catch((error: unknown) => {
      this.logger.warn(`picture ${unused} is left to the sweeper: ${String(error)}`);
    });
  }

  /** Removes pictures that nothing uses and uploads that were never completed. */
  async sweep(): Promise<void> {
    for (let batch = 0; batch < sweepBatches; batch += 1) {
      if ((await this.uploads.removeUnused(this.remove, { most: sweepBatch })) < sweepBatch) return;
    }
  }

  private async settle(upload: Upload): Promise<Outcome> {
    if (this.checks.pendingCount >= checksWaiting) {
      throw new Refusal('unavailable', 'Too many pictures are being checked. Please try again in a moment.');
    }
    const removeAfter = fromNow(this.config.UNATTACHED_AGE_MS);
    const outcome = await this.checks(() =>
      this.uploads.settle(upload.id, removeAfter, () => this.check(upload)),
    );
    if (!outcome) throw uploadNotFound();
    return outcome;
  }

  private async check(upload: Upload): Promise<Outcome> {
    const mostBytes = uploadBytes[upload.purpose];
    const bytes = await this.storage.readPosted(stagingKey(upload), mostBytes);
    if (!bytes) {
      throw new Refusal('not_found', 'The file has not arrived yet. Upload it first, then complete.');
    }
    if (bytes.length > mostBytes) return refused('too_large', uploadTooLarge[upload.purpose]);
    try {
      return { picture: await this.publish(upload, bytes), refusal: null };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unsupported_picture') {
        return refused(error.code, error.message);
      }
      throw error;
    }
  }

  private async publish({ id, path, purpose }: Upload, bytes: Buffer): Promise<Picture> {
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
    await this.storage.unpublish(upload.path);
  };

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
  }
}

function refused(code: Refusal['code'], message: string): Outcome {
  return { picture: null, refusal: { code, message } };
}

function fromNow(ms: number): Date {
  return new Date(Date.now() + ms);
}

function uploadNotFound(): Refusal {
  return new Refusal('not_found', 'Upload not found.');
}
