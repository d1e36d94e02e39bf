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
      for (const upload of due) {
        if (this.isStopping) break;
        await this.discard(upload);
        await this.uploads.endRemoval(upload.id);
        left.delete(upload.id);
      }
    } finally {
      clearInterval(renewing);
      if (left.size > 0) await this.uploads.abandonRemoval([...left]);
    }
    return due.length;
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
        if (id && !unchecked.has(id)) await this.storage.discardPosted(key);
      }
    }
    const age = Math.max(stagingAgeMs, this.config.UNFINISHED_AGE_MS);
    const now = await this.uploads.readClock();
    await this.storage.discardPostedBefore(new Date(now.getTime() - age));
  }
}
