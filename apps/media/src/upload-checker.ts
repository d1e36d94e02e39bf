import { type PicturePurpose, uploadBytes, uploadTooLarge } from '@stoa/contracts';
import { Refusal, remainingMs, withoutBudget } from '@stoa/messaging';
import { attributes, count, metrics } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { setTimeout as pause } from 'node:timers/promises';
import { safeFilename } from './file-name.ts';
import { MediaConfig } from './media.config.ts';
import { type Checked, MediaRepository, type Outcome, type Upload } from './media.repository.ts';
import type { Variants } from './picture-decoding.ts';
import { PictureEncoder, pictureTooComplex } from './picture-encoder.ts';
import { binaryContentType, StorageClient } from './storage.client.ts';
import { stagingKey } from './upload-keys.ts';
import { UploadRemover } from './upload-remover.ts';

const variantsOf: Record<PicturePurpose, Variants> = {
  'profile-picture': { widths: [96, 192, 256, 384, 768] },
  'offering-cover': { widths: [128, 192, 320, 640, 960, 1280] },
  'profile-header': { widths: [480, 800, 1200, 1600, 2000], ratio: 3 },
};

// Copying costs the store something and this process nothing, so it does not wait behind pictures.
const checksAtOnce = 2;
const checksWaiting = 6;
/** Renewed four times before it runs out: whoever asks next takes over from a replica that died within one request. */
const leaseMs = 10_000;
const othersMs = 250;
const longestMs = 30_000;
// Time to say that it takes longer, to somebody who still listens.
const answerMs = 500;
// Longer than any check, so that nothing is removed under it.
const checkedWithinMs = 10 * 60_000;

type Ended = Outcome | 'elsewhere' | 'timeout' | 'gone';

/**
 * Checks what was posted, once for each upload however many ask: by a lease, which the database grants. No connection
 * to it is held meanwhile. A check goes on when those who asked for it do not wait any more.
 */
@Injectable()
export class UploadChecker {
  private readonly logger = new Logger(UploadChecker.name);
  private readonly pictures = pLimit(checksAtOnce);
  private readonly files = pLimit(checksAtOnce);
  private readonly underWay = new Map<string, Promise<Ended>>();

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly encoder: PictureEncoder,
    private readonly remover: UploadRemover,
    private readonly config: MediaConfig,
  ) {}

  /** How the check of an upload ended, here or at another replica; null when the upload is gone. */
  async outcomeOf(upload: Upload): Promise<Outcome | null> {
    const endsAt = performance.now() + remainingMs(longestMs) - answerMs;
    for (let known: Upload | null = upload; known; known = await this.uploads.find(upload.id)) {
      if (known.outcome) return known.outcome;
      const ended =
        isLeased(known) && !this.underWay.has(known.id)
          ? 'elsewhere'
          : await within(endsAt, this.check(known));
      if (ended === 'gone') return null;
      if (ended === 'timeout')
        throw new Refusal('timeout', 'Reading this picture took too long. Please try again.');
      if (ended !== 'elsewhere') return ended;
      await within(endsAt, pause(othersMs));
    }
    return null;
  }

  private check(upload: Upload): Promise<Ended> {
    const { id, purpose } = upload;
    const known = this.underWay.get(id);
    if (known) return known;
    const queue = purpose === 'offering-file' ? this.files : this.pictures;
    if (queue.pendingCount >= checksWaiting) {
      throw new Refusal('unavailable', 'Too many uploads are being checked. Please try again in a moment.');
    }
    const check = withoutBudget(() => queue(() => this.checkByLease(id))).finally(() =>
      this.underWay.delete(id),
    );
    this.underWay.set(id, check);
    // Those who asked may be gone by the time that it fails.
    check.catch(() => undefined);
    return check;
  }

  private async checkByLease(id: string): Promise<Ended> {
    const upload = await this.uploads.beginCheck(id, leaseMs, checkedWithinMs);
    if (!upload) return this.withoutLease(id);
    const renewal = setInterval(() => {
      this.uploads.renewCheck(id, leaseMs).catch((error: unknown) => {
        this.logger.warn(`the lease of upload ${id} was not renewed: ${String(error)}`);
      });
    }, leaseMs / 4);
    try {
      const checked = await this.checkPosted(upload);
      const isOurs = await this.uploads.endCheck(id, checked, this.config.UNATTACHED_AGE_MS);
      if (isOurs) return checked.kind === 'timeout' ? 'timeout' : checked;
    } catch (error) {
      const outcome = (await this.uploads.find(id))?.outcome;
      if (outcome) return outcome;
      await this.uploads.abandonCheck(id);
      if (!(error instanceof LeaseLost)) {
        // Of a failure half-way some of it may be written of what was removed meanwhile.
        if ((await this.asItIs(id)) === 'gone') await this.remover.discard(upload);
        throw error;
      }
    } finally {
      clearInterval(renewal);
    }
    const ended = await this.asItIs(id);
    // Whoever removed it may have been done before this was written.
    if (ended === 'gone') await this.remover.discard(upload);
    return ended;
  }

  /** Whoever comes after an upload's time and before the sweeper finds it gone, and waits for nobody. */
  private async withoutLease(id: string): Promise<Ended> {
    const upload = await this.uploads.find(id);
    if (upload && !upload.outcome && !isLeased(upload) && isOver(upload)) return 'gone';
    return upload ? (upload.outcome ?? 'elsewhere') : 'gone';
  }

  private async asItIs(id: string): Promise<Ended> {
    const upload = await this.uploads.find(id);
    return upload ? (upload.outcome ?? 'elsewhere') : 'gone';
  }

  private checkPosted(upload: Upload): Promise<Checked> {
    const { purpose } = upload;
    return purpose === 'offering-file' ? this.checkFile(upload) : this.checkPicture(upload, purpose);
  }

  private async checkFile(upload: Upload): Promise<Outcome> {
    const posted = await this.storage.findPosted(stagingKey(upload));
    if (!posted) throw notArrived();
    if (posted.size > uploadBytes[upload.purpose]) {
      return refused('too_large', uploadTooLarge[upload.purpose]);
    }
    await this.requireLease(upload);
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
      return await this.publish(upload, purpose, bytes);
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

  private async publish(upload: Upload, purpose: PicturePurpose, bytes: Buffer): Promise<Outcome> {
    const { id, path } = upload;
    const { variants, ...picture } = await this.encoder.encode(bytes, variantsOf[purpose]);
    await this.requireLease(upload);
    await Promise.all(
      variants.map(({ width, format, bytes }) =>
        this.storage.publish(`${path}/${width}.${format}`, bytes, `image/${format}`),
      ),
    );
    count(metrics.uploadsCompleted, { [attributes.uploadPurpose]: purpose });
    const stored = variants.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return { kind: 'picture', picture: { id, path, ...picture }, bytes: stored };
  }

  /** Before anything is written: a process that was stopped for longer than its lease must not write over another's. */
  private async requireLease({ id }: Upload): Promise<void> {
    if (!(await this.uploads.renewCheck(id, leaseMs))) throw new LeaseLost();
  }
}

class LeaseLost extends Error {}

function isLeased({ checkingUntil, asOf }: Upload): boolean {
  return checkingUntil !== null && checkingUntil > asOf;
}

function isOver({ removeAfter, asOf }: Upload): boolean {
  return removeAfter !== null && removeAfter <= asOf;
}

async function within<T>(endsAt: number, work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = pause(Math.max(0, endsAt - performance.now()), undefined, { signal: waiting.signal });
  try {
    return await Promise.race([
      work,
      late.then(() => {
        throw new Refusal('timeout', 'The check of this upload takes longer than usual. Please try again.');
      }),
    ]);
  } finally {
    waiting.abort();
  }
}

function refused(code: Refusal['code'], message: string): Outcome {
  return { kind: 'refused', refusal: { code, message } };
}

function notArrived(): Refusal {
  return new Refusal('not_found', 'The file has not arrived yet. Upload it first, then complete.');
}
