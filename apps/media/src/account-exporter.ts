import { limits } from '@stoa/contracts';
import { WokenWorker } from '@stoa/platform';
import { metrics, observe, withTaskSpan } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Readable } from 'node:stream';
import type { DueExport } from './account-exports.repository.ts';
import {
  type ArchiveEntry,
  ExportStorageClient,
  exportKey,
  type StoredObject,
} from './export-storage.client.ts';
import { MediaRepository, type Upload } from './media.repository.ts';

const leaseMs = 30_000;
const everyMs = 3000;
/** Of archives of gigabytes over a slow line to the store. A store that is silent ends one sooner. */
const withinMs = 2 * 60 * 60_000;
const firstPauseMs = 5000;
const longestPauseMs = 600_000;
/** About an hour after the first try, with the pauses between them. */
const mostAttempts = 12;

/** Makes the exports that are due, and removes those that are over, one after the other. */
@Injectable()
export class AccountExporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(AccountExporter.name);
  readonly #worker = new WokenWorker(AccountExporter.name, { everyMs, withinMs }, (signal) =>
    this.#workAll(signal),
  );
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: ExportStorageClient,
  ) {}

  onApplicationBootstrap(): void {
    this.#unobserve = observe(metrics.exportsAge, () => this.uploads.exports.oldestAge());
    this.#worker.start();
  }

  /** Looks for exports that are due. */
  wake(): void {
    this.#worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await this.#worker.stop();
  }

  async #workAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await this.uploads.exports.takeDue(leaseMs);
      if (!due) return;
      await withTaskSpan('export account', {}, () => this.#step(due, signal));
    }
  }

  async #step(due: DueExport, signal: AbortSignal): Promise<void> {
    const { id, attempts } = due;
    const { exports } = this.uploads;
    const holding = new AbortController();
    const renewal = setInterval(() => {
      exports.retryIn(due, leaseMs).then(
        (isOurs) => isOurs || holding.abort(),
        (error: unknown) => this.#logger.warn(`the lease of export ${id} was not renewed: ${String(error)}`),
      );
    }, leaseMs / 4);
    try {
      if (due.isOver) {
        await this.storage.remove(exportKey(due));
        await exports.remove(due);
      } else if (!due.isCollected || attempts > mostAttempts) {
        // Whoever made it died each time, and could not say so.
        await exports.end(due, 'failed');
      } else {
        await this.#make(due, AbortSignal.any([holding.signal, signal]));
        await exports.end(due, 'ready');
      }
    } catch (error) {
      this.#logger.warn(`export ${id} waits, attempt ${attempts}: ${String(error)}`);
      if (attempts >= mostAttempts && !due.isOver) await exports.end(due, 'failed');
      else await exports.retryIn(due, pauseAfter(attempts, signal));
    } finally {
      clearInterval(renewal);
    }
  }

  /** Streams the archive into the store: never more of it in memory than its records and a piece of a file. */
  async #make({ id, uid }: DueExport, signal: AbortSignal): Promise<void> {
    const parts = await this.uploads.exports.partsOf(id);
    const entries = parts.map(({ name, size }): ArchiveEntry => {
      const open = async () => Readable.from([Buffer.from(await this.uploads.exports.textOf(id, name))]);
      return { name, size, open };
    });
    const leftOut: string[] = [];
    let room: number = limits.exportBytes;
    for (const upload of await this.uploads.listKept(uid)) {
      const name = nameOf(upload);
      const found = name && (await this.#find(upload));
      if (!name) continue;
      if (!found || found.size > room) {
        leftOut.push(name);
        continue;
      }
      room -= found.size;
      entries.push({ ...found, name });
    }
    if (leftOut.length > 0) entries.push(jsonEntry('left-out.json', leftOut));
    await this.storage.keep(exportKey({ id, uid }), entries, signal);
  }

  async #find({ path, outcome }: Upload): Promise<StoredObject | null> {
    if (outcome?.kind === 'picture') return this.storage.findPicture(`${path}/${outcome.picture.width}.webp`);
    return outcome?.kind === 'file' ? this.storage.findFile(path) : null;
  }
}

function pauseAfter(attempts: number, signal: AbortSignal): number {
  // Another replica goes on immediately with what this one was stopped in.
  if (signal.aborted) return 0;
  return Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
}

/** Where an upload stands in the archive; undefined for one that was never checked. */
function nameOf({ outcome }: Upload): string | undefined {
  if (outcome?.kind === 'picture') return `pictures/${outcome.picture.id}.webp`;
  return outcome?.kind === 'file' ? `files/${outcome.file.id}/${outcome.file.filename}` : undefined;
}

function jsonEntry(name: string, content: unknown): ArchiveEntry {
  const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  return { name, size: bytes.length, open: async () => Readable.from([bytes]) };
}
