import { withoutBudget } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { runSequentially } from '../storage/run-sequentially.ts';
import { MediaConfig } from '../media.config.ts';
import { MediaRepository } from './media.repository.ts';
import { StorageClient } from '../storage/storage.client.ts';
import { stagingKey, uploadPostedAt } from './upload-keys.ts';
import type { Upload } from './upload-rows.repository.ts';

const batchSize = 20;
const sweepBatches = 50;
const waitingBatches = 50;
/**
 * Milliseconds after which another replica continues, if this one crashes. A running one renews the lease.
 */
const leaseMs = 10_000;
/** After this many failures in a row the removal stops, because the store is probably down. */
const mostFailures = 5;
// The buckets have rules that delete old objects. This limit is for stores without such rules.
const stagingAgeMs = 24 * 60 * 60_000;

/**
 * Removes the objects of uploads from the store, then their rows. No database transaction is open during
 * requests to the store.
 */
@Injectable()
export class UploadRemover implements BeforeApplicationShutdown {
  private readonly logger = new Logger(UploadRemover.name);
  private readonly oneByOne = pLimit(1);
  private last: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: StorageClient,
    private readonly config: MediaConfig,
  ) {}

  /** Starts to remove those of the uploads that have expired. The sweeper retries failures. */
  removeSoon(ids: readonly string[]): void {
    for (let first = 0; first < ids.length; first += batchSize) {
      if (this.oneByOne.pendingCount >= waitingBatches) return;
      const only = ids.slice(first, first + batchSize);
      const work = () => this.oneByOne(async () => (this.isStopping ? 0 : this.removeDue({ only })));
      this.last = withoutBudget(work).catch((error: unknown) => {
        this.logger.warn(
          `the removal of uploads ${only.join(', ')} is left to the sweeper: ${String(error)}`,
        );
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.last;
  }

  /** Removes uploads that are unused or were never completed, and unchecked objects that were left behind. */
  async sweep(stopping: AbortSignal): Promise<void> {
    await runSequentially([
      () => this.removeAllDue(stopping),
      () => this.sweepStaging(stopping),
      () => this.discardOld(stopping),
    ]);
  }

  /** Continues removals that a crash or an outage has interrupted. */
  async resume(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.removeDue({ begun: true })) === batchSize);
  }

  /** Deletes every object of an upload, checked or not. */
  async discard(upload: Upload): Promise<void> {
    await this.storage.discardPosted(stagingKey(upload));
    if (upload.purpose === 'offering-file') await this.storage.discardFile(upload.path);
    else await this.storage.unpublish(upload.path);
  }

  private async removeAllDue(stopping: AbortSignal): Promise<void> {
    for (let batch = 0; batch < sweepBatches && !stopping.aborted; batch += 1)
      if ((await this.removeDue({})) < batchSize) return;
  }

  private async discardPosted(key: string): Promise<void> {
    await this.storage.discardPosted(key).catch((error: unknown) => {
      this.logger.warn(`the posted object ${key} was not removed and is retried: ${String(error)}`);
    });
  }

  private async removeDue(which: { only?: string[]; begun?: boolean }): Promise<number> {
    const due = await this.uploads.beginRemoval({ most: batchSize, leaseMs, ...which });
    const left = new Set(due.map(({ id }) => id));
    // The statement skips leases that have ended.
    const renewing = setInterval(() => {
      this.uploads.renewRemoval([...left], leaseMs).catch((error: unknown) => {
        this.logger.warn(`the lease of a removal was not renewed: ${String(error)}`);
      });
    }, leaseMs / 4);
    // The timer must not keep the process alive while the store hangs.
    renewing.unref();
    try {
      let failures = 0;
      for (const upload of due) {
        if (this.isStopping || failures === mostFailures) break;
        failures = (await this.removeOne(upload)) ? 0 : failures + 1;
        left.delete(upload.id);
      }
      if (failures === mostFailures)
        throw new Error(`the store refused to remove ${failures} uploads in a row`);
    } finally {
      clearInterval(renewing);
      if (left.size > 0) await this.uploads.abandonRemoval([...left]);
    }
    return due.length;
  }

  /**
   * Returns whether the upload was removed. If the store refuses, the caller continues with the next upload.
   */
  private async removeOne(upload: Upload): Promise<boolean> {
    try {
      await this.discard(upload);
    } catch (error) {
      this.logger.warn(`upload ${upload.id} was not removed and is retried: ${String(error)}`);
      await this.uploads.putOffRemoval(upload.id);
      return false;
    }
    await this.uploads.endRemoval(upload.id);
    return true;
  }

  /** Deletes posted objects whose upload is already checked or removed: a browser may post a form twice. */
  private async sweepStaging(stopping: AbortSignal): Promise<void> {
    for await (const keys of this.storage.listPosted()) {
      if (stopping.aborted) return;
      const uploads = keys.map((key) => ({ key, id: uploadPostedAt(key) }));
      const unchecked = await this.uploads.findUnchecked(
        uploads.map(({ id }) => id).filter((id) => id !== undefined),
      );
      for (const { key, id } of uploads) {
        if (id && !unchecked.has(id)) await this.discardPosted(key);
      }
    }
  }

  private async discardOld(stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return;
    const age = Math.max(stagingAgeMs, this.config.UNFINISHED_AGE_MS);
    const now = await this.uploads.readClock();
    await this.storage.discardPostedBefore(new Date(now.getTime() - age));
  }
}
