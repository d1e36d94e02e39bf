import { Bus, findKeptFile, keepFile, type KeptFile, Refusal } from '@stoa/messaging';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { GatewayConfig } from '../gateway.config.ts';
import { assetType } from './asset-names.ts';

const decompress = promisify(brotliDecompress);

/** A file of another release, whole and as small as it was built. */
export interface Asset {
  readonly plain: Buffer;
  readonly br?: Buffer;
}

/** For what a release hands in, before its first page is served: without NATS it starts all the same. */
const patienceMs = 2000;
/** Once a day is enough; what a day has already is not written again. */
const repeatMs = 6 * 60 * 60_000;
const retryMs = [1, 2, 5, 15, 60].map((seconds) => seconds * 1000);
const atOnce = 16;

/** A whole build takes 1.2 MB of it. */
const memoryBytes = 16 * 1024 * 1024;
const largestBytes = 4 * 1024 * 1024;
/** How long, and of how many names, it is remembered that no release has them. */
const unknownMs = 2000;
const unknownNames = 5000;
/** Looked for at once; who makes names up gets 503 before NATS has much to do. */
const mostLookups = 32;

/**
 * The hashed files of every release that is or lately was there. While releases change, a page from one replica finds its
 * files at any other, older or newer: each replica hands in its own at its start and once a day, and looks up what it lacks.
 */
@Injectable()
export class AssetArchive implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AssetArchive.name);
  private readonly app: string;
  private readonly folder: string;
  private readonly stopping = new AbortController();
  private readonly found = new LRUCache<string, Asset>({
    maxSize: memoryBytes,
    sizeCalculation: ({ plain, br }) => plain.length + (br?.length ?? 0) + 1,
  });
  private readonly unknown = new LRUCache<string, true>({ max: unknownNames, ttl: unknownMs });
  private readonly lookups = new Map<string, Promise<Asset | undefined>>();
  private handingIn: Promise<void> | undefined;

  constructor(
    config: GatewayConfig,
    private readonly bus: Bus,
  ) {
    this.app = config.NATS_USER;
    this.folder = join(config.WEB_ROOT, 'assets');
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!existsSync(this.folder)) return;
    const first = Promise.withResolvers<void>();
    this.handingIn = this.handInDaily(first.resolve);
    const timer = new AbortController();
    await Promise.race([first.promise, pause(patienceMs, undefined, { signal: timer.signal })]);
    timer.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.handingIn;
  }

  /**
   * The file of that name of any release; undefined where none has it.
   *
   * @throws Refusal `unavailable` while that cannot be known.
   */
  async find(name: string): Promise<Asset | undefined> {
    if (assetType(name) === undefined || this.unknown.has(name)) return undefined;
    const known = this.found.get(name) ?? this.lookups.get(name);
    if (known) return known;
    if (this.lookups.size >= mostLookups) throw unavailable();
    const lookup = this.lookUp(name).finally(() => this.lookups.delete(name));
    this.lookups.set(name, lookup);
    return lookup;
  }

  private async lookUp(name: string): Promise<Asset | undefined> {
    try {
      const kept = await findKeptFile(this.bus.connection, { app: this.app, name });
      if (!kept) {
        this.unknown.set(name, true);
        return undefined;
      }
      const asset = await unpack(kept);
      this.found.set(name, asset);
      return asset;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.logger.warn(`${name} of another release cannot be read: ${String(error)}`);
      throw unavailable();
    }
  }

  private async handInDaily(first: () => void): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      let wait = repeatMs;
      try {
        await this.handIn();
        failures = 0;
        first();
      } catch (error) {
        if (signal.aborted) return;
        wait = retryMs[Math.min(failures, retryMs.length - 1)] ?? repeatMs;
        failures += 1;
        this.logger.warn(`the files of this release could not be handed in yet: ${String(error)}`);
      }
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async handIn(): Promise<void> {
    const connection = await this.unlessStopping(this.bus.opened);
    const files = new Set(await readdir(this.folder));
    const names = [...files].filter((name) => assetType(name) !== undefined);
    const refused: string[] = [];
    for (let from = 0; from < names.length && !this.stopping.signal.aborted; from += atOnce)
      await Promise.all(
        names.slice(from, from + atOnce).map(async (name) => {
          const encoding = files.has(`${name}.br`) ? 'br' : 'identity';
          const content = await readFile(join(this.folder, encoding === 'br' ? `${name}.br` : name));
          await keepFile(connection, { app: this.app, name }, { content, encoding }).catch((error: unknown) =>
            refused.push(`${name}: ${String(error)}`),
          );
        }),
      );
    if (refused.length > 0) throw new Error(`${refused.length} of ${names.length} (${refused[0]})`);
  }

  /** Who waits for a NATS that never comes must still be able to end. */
  private async unlessStopping<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
  }
}

async function unpack({ content, encoding }: KeptFile): Promise<Asset> {
  const bytes = Buffer.from(content);
  if (encoding !== 'br') return { plain: bytes };
  return { plain: await decompress(bytes, { maxOutputLength: largestBytes }), br: bytes };
}

const unavailable = () => new Refusal('unavailable', 'Files of other releases cannot be read right now.');
