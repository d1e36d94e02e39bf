import { limits } from '@stoa/contracts';
import { LeaseWorker } from '@stoa/platform';
import { metrics, observe } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AccountExports, type DueExport } from './account-exports.repository.ts';
import {
  type ArchiveEntry,
  ExportStorageClient,
  exportKey,
  type StoredObject,
} from '../storage/export-storage.client.ts';
import { MediaRepository } from '../uploads/media.repository.ts';
import type { Upload } from '../uploads/upload-rows.repository.ts';

const leaseMs = 30_000;
/**
 * Enough to send gigabytes to the object store over a slow connection. If the store sends nothing for 10 s,
 * the attempt ends earlier.
 */
const withinMs = 2 * 60 * 60_000;
const longestPauseMs = 600_000;
/** The pauses between 12 attempts add up to about an hour. */
const mostAttempts = 12;

/** Makes the archives of due exports and removes expired exports, one after the other. */
@Injectable()
export class AccountExporter extends LeaseWorker<DueExport> {
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly exports: AccountExports,
    private readonly uploads: MediaRepository,
    private readonly storage: ExportStorageClient,
  ) {
    super(exports, {
      task: 'export account',
      row: 'export',
      leaseMs,
      withinMs,
      longestPauseMs,
      mostAttempts,
    });
  }

  override onApplicationBootstrap(): void {
    this.#unobserve = observe(metrics.exportsAge, () => this.exports.oldestAge());
    super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await super.beforeApplicationShutdown();
  }

  protected async work(due: DueExport, signal: AbortSignal): Promise<void> {
    if (due.isExpired) {
      await this.storage.remove(exportKey(due));
      await this.exports.remove(due);
    } else if (!due.isCollected || due.attempts > mostAttempts) {
      // All attempts are used up, so the process has crashed in each and could not record a failure.
      await this.exports.end(due, 'failed');
    } else {
      await this.#make(due, signal);
      await this.exports.end(due, 'ready');
    }
  }

  /** Attempts to remove an expired export have no limit. */
  protected override isLast(due: DueExport): boolean {
    return !due.isExpired && super.isLast(due);
  }

  protected override async giveUp(due: DueExport): Promise<void> {
    await this.exports.end(due, 'failed');
  }

  /** Streams the archive to the object store. Only one record or one chunk of a file is in memory. */
  async #make({ id, uid }: DueExport, signal: AbortSignal): Promise<void> {
    const parts = await this.exports.partsOf(id);
    const entries = parts.map(({ name, size }): ArchiveEntry => {
      const open = async () => Readable.from([Buffer.from(await this.exports.textOf(id, name))]);
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

/** Path of an upload in the archive; undefined if the upload was never checked. */
function nameOf({ outcome }: Upload): string | undefined {
  if (outcome?.kind === 'picture') return `pictures/${outcome.picture.id}.webp`;
  return outcome?.kind === 'file' ? `files/${outcome.file.id}/${outcome.file.filename}` : undefined;
}

function jsonEntry(name: string, content: unknown): ArchiveEntry {
  const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  return { name, size: bytes.length, open: async () => Readable.from([bytes]) };
}
