import { Bus, findAsset, storeAsset, type StoredAsset, Refusal } from '@stoa/messaging';
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

/** A file of another release, uncompressed and in the compressed forms of its build. */
export interface Asset {
  readonly plain: Buffer;
  readonly br?: Buffer;
}

/**
 * Milliseconds that the start waits until the files of this release are uploaded. If NATS is down, the gateway starts anyway.
 */
const patienceMs = 2000;
/** Milliseconds between two uploads. The archive itself stores each file at most once a day. */
const repeatMs = 6 * 60 * 60_000;
const retryMs = [1, 2, 5, 15, 60].map((seconds) => seconds * 1000);
const concurrentWrites = 16;

/** Memory for files of other releases. The files of one release take 1.2 MB. */
const memoryBytes = 16 * 1024 * 1024;
const largestBytes = 4 * 1024 * 1024;
/** Milliseconds and number of names for which the gateway remembers that no release has them. */
const unknownMs = 2000;
const unknownNames = 5000;
/** Maximum concurrent lookups. Further ones get 503, so that requests for invented names cannot overload NATS. */
const maxLookups = 32;

/**
 * Stores the hashed files of current and recent releases on NATS. During a rollout, a page of one replica may request its
 * files from another replica with another release. That replica then fetches them here.
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
  private storing: Promise<void> | undefined;

  constructor(
    config: GatewayConfig,
    private readonly bus: Bus,
  ) {
    this.app = config.SERVICE_NAME;
    this.folder = join(config.WEB_ROOT, 'assets');
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!existsSync(this.folder)) return;
    const first = Promise.withResolvers<void>();
    this.storing = this.storeDaily(first.resolve);
    const timer = new AbortController();
    await Promise.race([first.promise, pause(patienceMs, undefined, { signal: timer.signal })]);
    timer.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.storing;
  }

  /**
   * The file with this name from any release; undefined if no release has it.
   * @throws Refusal `unavailable` if the archive cannot be read
   */
  async find(name: string): Promise<Asset | undefined> {
    if (assetType(name) === undefined || this.unknown.has(name)) return undefined;
    const known = this.found.get(name) ?? this.lookups.get(name);
    if (known) return known;
    if (this.lookups.size >= maxLookups) throw unavailable();
    const lookup = this.lookUp(name).finally(() => this.lookups.delete(name));
    this.lookups.set(name, lookup);
    return lookup;
  }

  private async lookUp(name: string): Promise<Asset | undefined> {
    try {
      const kept = await findAsset(this.bus.connection, { app: this.app, name });
      if (!kept) {
        this.unknown.set(name, true);
        return undefined;
      }
      const asset = await unpack(kept);
      this.found.set(name, asset);
      return asset;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.logger.warn(`cannot read ${name} of another release: ${String(error)}`);
      throw unavailable();
    }
  }

  private async storeDaily(first: () => void): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      let wait = repeatMs;
      try {
        await this.storeFiles();
        failures = 0;
        first();
      } catch (error) {
        if (signal.aborted) return;
        wait = retryMs[Math.min(failures, retryMs.length - 1)] ?? repeatMs;
        failures += 1;
        this.logger.warn(`cannot upload the files of this release yet: ${String(error)}`);
      }
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async storeFiles(): Promise<void> {
    const connection = await this.unlessStopping(this.bus.opened);
    const files = new Set(await readdir(this.folder));
    const names = [...files].filter((name) => assetType(name) !== undefined);
    const refused: string[] = [];
    for (let from = 0; from < names.length && !this.stopping.signal.aborted; from += concurrentWrites)
      await Promise.all(
        names.slice(from, from + concurrentWrites).map(async (name) => {
          const encoding = files.has(`${name}.br`) ? 'br' : 'identity';
          const content = await readFile(join(this.folder, encoding === 'br' ? `${name}.br` : name));
          await storeAsset(connection, { app: this.app, name }, { content, encoding }).catch(
            (error: unknown) => refused.push(`${name}: ${String(error)}`),
          );
        }),
      );
    if (refused.length > 0) throw new Error(`${refused.length} of ${names.length} (${refused[0]})`);
  }

  /** Also rejects when the gateway stops, because NATS may never connect. */
  private async unlessStopping<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
  }
}

async function unpack({ content, encoding }: StoredAsset): Promise<Asset> {
  const bytes = Buffer.from(content);
  if (encoding !== 'br') return { plain: bytes };
  return { plain: await decompress(bytes, { maxOutputLength: largestBytes }), br: bytes };
}

const unavailable = () => new Refusal('unavailable', 'Files of other releases cannot be read right now.');
