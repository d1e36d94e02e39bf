import { withoutBudget } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { MediaConfig } from './media.config.ts';
import { MediaRepository, type Upload } from './media.repository.ts';
import { StorageClient } from './storage.client.ts';
import { stagingKey, uploadPostedAt } from './upload-keys.ts';

const batchSize = 20;
const sweepBatches = 50;
const waitingBatches = 50;
/** For so long a removal waits for the others when a replica dies with it in hand; a replica at work renews it. */
const leaseMs = 10_000;
/** After so many failures in a row it is the store that is away, and no single upload that cannot be removed. */
const mostFailures = 5;
const emptySlotsAtOnce = 5000;
// Of what the rules of the bucket remove, where the store has such rules.
const stagingAgeMs = 24 * 60 * 60_000;

/** Removes the objects of uploads, then the uploads. No connection of the database is held while the store works. */
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

  /** Begins to remove those of these uploads whose time is over; what does not work out is left to the sweeper. */
  removeSoon(ids: readonly string[]): void {
    for (let first = 0; first < ids.length; first += batchSize) {
      if (this.oneByOne.pendingCount >= waitingBatches) return;
      const only = ids.slice(first, first + batchSize);
      const work = () => this.oneByOne(async () => (this.isStopping ? 0 : this.removeDue({ only })));
      this.last = withoutBudget(work).catch((error: unknown) => {
        this.logger.warn(`uploads ${only.join(', ')} are left to the sweeper: ${String(error)}`);
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.last;
  }

  /** Removes pictures and files that nothing uses, uploads that were never completed and what else is left of them. */
  async sweep(stopping: AbortSignal): Promise<void> {
    for (let batch = 0; batch < sweepBatches; batch += 1) {
      if (stopping.aborted) return;
      if ((await this.removeDue({})) < batchSize) break;
    }
    while (!stopping.aborted && (await this.uploads.forgetEmptySlots(emptySlotsAtOnce)) === emptySlotsAtOnce);
    await this.sweepStaging(stopping);
  }

  /** Goes on with removals that were cut short, as by the death of this process, the database or the store. */
  async resume(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.removeDue({ begun: true })) === batchSize);
  }

  /** Removes every object of an upload, whatever state it was in. */
  async discard(upload: Upload): Promise<void> {
    await this.storage.discardPosted(stagingKey(upload));
    if (upload.purpose === 'offering-file') await this.storage.discardFile(upload.path);
    else await this.storage.unpublish(upload.path);
  }

  private async discardPosted(key: string): Promise<void> {
    await this.storage.discardPosted(key).catch((error: unknown) => {
      this.logger.warn(`what was posted to ${key} is not removed, trying again later: ${String(error)}`);
    });
  }

  private async removeDue(which: { only?: string[]; begun?: boolean }): Promise<number> {
    const due = await this.uploads.beginRemoval({ most: batchSize, leaseMs, ...which });
    const left = new Set(due.map(({ id }) => id));
    // What ran out or was given up meanwhile stays so.
    const renewing = setInterval(() => {
      this.uploads.renewRemoval([...left], leaseMs).catch((error: unknown) => {
        this.logger.warn(`the lease of a removal was not renewed: ${String(error)}`);
      });
    }, leaseMs / 4);
    // A store that never answers must not keep a process alive that has nothing else to do.
    renewing.unref();
    try {
      let failures = 0;
      for (const upload of due) {
        if (this.isStopping || failures === mostFailures) break;
        failures = (await this.removeOne(upload)) ? 0 : failures + 1;
        left.delete(upload.id);
      }
      if (failures === mostFailures) throw new Error(`the store refuses to remove ${failures} in a row`);
    } finally {
      clearInterval(renewing);
      if (left.size > 0) await this.uploads.abandonRemoval([...left]);
    }
    return due.length;
  }

  /** Whether it is gone. One that the store refuses to remove keeps none of the others from it. */
  private async removeOne(upload: Upload): Promise<boolean> {
    try {
      await this.discard(upload);
    } catch (error) {
      this.logger.warn(`upload ${upload.id} is not removed, trying again later: ${String(error)}`);
      await this.uploads.putOffRemoval(upload.id);
      return false;
    }
    await this.uploads.endRemoval(upload.id);
    return true;
  }

  /** A form may be posted again after its upload was completed or removed, and not every store has a lifecycle. */
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
    const age = Math.max(stagingAgeMs, this.config.UNFINISHED_AGE_MS);
    const now = await this.uploads.readClock();
    await this.storage.discardPostedBefore(new Date(now.getTime() - age));
  }
}
