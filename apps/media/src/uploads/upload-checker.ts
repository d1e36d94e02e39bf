import { type PicturePurpose, uploadBytes, uploadTooLarge } from '@stoa/contracts';
import { Refusal, remainingMs, withoutBudget } from '@stoa/messaging';
import { attributes, count, metrics } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { setTimeout as pause } from 'node:timers/promises';
import { safeFilename } from './file-name.ts';
import { MediaConfig } from '../media.config.ts';
import { MediaRepository } from './media.repository.ts';
import type { Variants } from '../pictures/picture-decoding.ts';
import { PictureEncoder, pictureTooComplex } from '../pictures/picture-encoder.ts';
import { binaryContentType, StorageClient } from '../storage/storage.client.ts';
import { stagingKey } from './upload-keys.ts';
import { UploadRemover } from './upload-remover.ts';
import type { CheckResult, Outcome, Upload } from './upload-rows.repository.ts';

const variantsOf: Record<PicturePurpose, Variants> = {
  'profile-picture': { widths: [96, 192, 256, 384, 768] },
  'offering-cover': { widths: [128, 192, 320, 640, 960, 1280] },
  'profile-header': { widths: [480, 800, 1200, 1600, 2000], ratio: 3 },
};

// Pictures and files have separate queues, because the store copies files without CPU time of this process.
const concurrentChecks = 2;
const checksWaiting = 6;
/** A running check renews its lease every quarter of this time. After a crash the next request takes over. */
const leaseMs = 10_000;
const pollMs = 250;
const longestMs = 30_000;
// The caller stops waiting at its deadline. The refusal must be sent this much earlier.
const answerMs = 500;
// Longer than any check, so that the sweeper removes no upload that is being checked.
const checkedWithinMs = 10 * 60_000;

type Ended = Outcome | 'elsewhere' | 'timeout' | 'gone';

/**
 * Checks each posted upload once, under a lease in the database, for all waiting callers (single-flight). A
 * check continues when its callers no longer wait.
 */
@Injectable()
export class UploadChecker {
  private readonly logger = new Logger(UploadChecker.name);
  private readonly pictures = pLimit(concurrentChecks);
  private readonly files = pLimit(concurrentChecks);
  private readonly underWay = new Map<string, Promise<Ended>>();

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly encoder: PictureEncoder,
    private readonly remover: UploadRemover,
    private readonly config: MediaConfig,
  ) {}

  /** Waits for the check by this replica or another; null if the upload was removed. */
  async outcomeOf(upload: Upload): Promise<Outcome | null> {
    const endsAt = performance.now() + remainingMs(longestMs) - answerMs;
    for (let known: Upload | null = upload; known; known = await this.uploads.find(upload.id)) {
      if (known.outcome) return known.outcome;
      const ended =
        isLeased(known) && !this.underWay.has(known.id)
          ? 'elsewhere'
          : await orTimeout(endsAt, this.check(known));
      if (ended === 'gone') return null;
      if (ended === 'timeout')
        throw new Refusal('timeout', 'Reading this picture took too long. Please try again.');
      if (ended !== 'elsewhere') return ended;
      await orTimeout(endsAt, pause(pollMs));
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
    // Prevents an unhandled rejection if no caller waits any more when the check fails.
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
        // The failed check may have stored objects after the removal of the upload.
        if ((await this.currentOutcome(id)) === 'gone') await this.remover.discard(upload);
        throw error;
      }
    } finally {
      clearInterval(renewal);
    }
    const ended = await this.currentOutcome(id);
    // This check may have stored objects after the removal of the upload.
    if (ended === 'gone') await this.remover.discard(upload);
    return ended;
  }

  /** An expired upload counts as removed, although the sweeper has not removed it yet. */
  private async withoutLease(id: string): Promise<Ended> {
    const upload = await this.uploads.find(id);
    if (upload && !upload.outcome && !isLeased(upload) && isExpired(upload)) return 'gone';
    return upload ? (upload.outcome ?? 'elsewhere') : 'gone';
  }

  private async currentOutcome(id: string): Promise<Ended> {
    const upload = await this.uploads.find(id);
    return upload ? (upload.outcome ?? 'elsewhere') : 'gone';
  }

  private checkPosted(upload: Upload): Promise<CheckResult> {
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

  private async checkPicture(upload: Upload, purpose: PicturePurpose): Promise<CheckResult> {
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
        // A busy machine may have caused the first timeout, so another check is allowed.
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

  /** Called before each write, because a suspended process may have lost its lease to another replica. */
  private async requireLease({ id }: Upload): Promise<void> {
    if (!(await this.uploads.renewCheck(id, leaseMs))) throw new LeaseLost();
  }
}

class LeaseLost extends Error {}

function isLeased({ checkingUntil, asOf }: Upload): boolean {
  return checkingUntil !== null && checkingUntil > asOf;
}

function isExpired({ removeAfter, asOf }: Upload): boolean {
  return removeAfter !== null && removeAfter <= asOf;
}

async function orTimeout<T>(endsAt: number, work: Promise<T>): Promise<T> {
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
