import { Bus, connectionStatus, elapsedMs, Refusal, withBudget, withCurrentReads } from '@stoa/messaging';
import { maxEntries } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.ts';
import { headersFor } from '../http/response-headers.ts';
import type { Encoding } from './accepted-encoding.ts';
import { type Representation, type ResponseKind, CachedResponse } from './cached-response.ts';
import { RouteBulkhead } from './route-bulkhead.ts';

export interface LoadedAnswer {
  readonly text: string;
  /** The response becomes stale when one of these tags is invalidated. */
  readonly tags: readonly string[];
  /** Age in milliseconds of the oldest part, if a part was stale. */
  readonly ageMs?: number | undefined;
  /** When the content is outdated without any event, such as at the end of a workshop (`Date.now()`). */
  readonly expiresAt?: number | undefined;
}

export interface CachedAnswer {
  readonly answer: CachedResponse;
  /** Age of the response in milliseconds, if it is stale. */
  readonly ageMs?: number | undefined;
}

/** When the responses with a tag were last made stale. */
interface Invalidation {
  /** Number of this invalidation; the cache counts all invalidations. */
  readonly at: number;
  /** Number of the last invalidation that also deleted the responses; 0 if there was none. */
  readonly removedAt: number;
  /** Until when a database replica may still have the previous data. */
  readonly laggingUntil: number;
}

interface Entry {
  readonly answer: CachedResponse;
  freshUntil: number;
  /** Number of the NATS connection while the response was loaded. After a reconnection, events about it may be missing. */
  readonly epoch: number;
  /** Until when requests get the stale response without a load, because the last load failed. */
  backOffUntil: number;
}

/** Milliseconds that a request waits for a load if there is a stale response. A page waits longer for its data. */
const staleFallbackMs = 150;
/** Milliseconds without a load after a failed one. */
const backOffMs = 1000;
const maxLoads = 3;
/** Longer than a database replica may lag and an event may take together, in milliseconds. */
const laggingMs = 30_000;
/** Maximum number of tags whose last invalidation is remembered, for loads that are in progress. */
const rememberedTags = 20_000;

/**
 * Caches public responses as bytes. Concurrent requests share one load (single-flight). Events make responses stale by tag,
 * and a stale response is served while its source fails. A load never depends on a request, only on its key.
 */
@Injectable()
export class PublicReads {
  readonly #entries: LRUCache<string, Entry>;
  /** The keys of the responses with a tag. Most tags have only one key, which needs no set. */
  readonly #byTag = new Map<string, string | Set<string>>();
  readonly #invalidations = new LRUCache<string, Invalidation>(maxEntries(rememberedTags));
  readonly #loading = new Map<string, { since: number; answer: Promise<CachedAnswer> }>();
  readonly #bulkhead: RouteBulkhead;
  readonly #headers: ReturnType<typeof headersFor>;
  readonly #staleMs: number;
  readonly #timeoutMs: number;
  #invalidationCount = 0;
  #connectionEpoch = 0;
  /** Until when a database replica may lack the data of the last invalidation. */
  #laggingUntil = 0;
  /** Until when a database replica may lack data whose events the gateway missed, because NATS was disconnected. */
  #missedEventsUntil = 0;

  constructor(config: GatewayConfig, bus: Bus) {
    this.#headers = headersFor(config);
    this.#staleMs = config.PUBLIC_READS_STALE_SECONDS * 1000;
    this.#timeoutMs = config.READ_TIMEOUT_MS;
    this.#bulkhead = new RouteBulkhead(config.PUBLIC_READS_LOADING);
    this.#entries = new LRUCache<string, Entry>({
      maxSize: config.PUBLIC_READS_BYTES,
      sizeCalculation: ({ answer }, key) => answer.size + 2 * key.length,
      dispose: ({ answer }, key) => this.#unlink(key, answer),
    });
    // The promise rejects only if the process stops before NATS is connected.
    void bus.opened.then((connection) => this.#followConnection(connection)).catch(() => undefined);
  }

  /** The cached response, if it can be served without a load. */
  peek(key: string): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = performance.now();
    if (this.#isFresh(entry, now)) return entry;
    return now < entry.backOffUntil && !this.#isTooOld(entry, now) ? aged(entry, now) : undefined;
  }

  /** The response, from the cache if it is fresh. @throws the error of `load` if no stale response can be served either */
  async read(key: string, kind: ResponseKind, load: () => Promise<LoadedAnswer>): Promise<CachedAnswer> {
    const known = this.peek(key);
    if (known) return known;
    const loading = this.#loading.get(key) ?? this.#start(key, kind, load);
    const entry = this.#entries.get(key);
    const now = performance.now();
    if (!entry || this.#isTooOld(entry, now)) return loading.answer;
    const timeout = Promise.withResolvers<undefined>();
    const left = Math.max(0, staleFallbackMs - Math.max(now - loading.since, elapsedMs()));
    const timer = setTimeout(() => timeout.resolve(undefined), left);
    const loaded = loading.answer.catch((error: unknown) => {
      if (isAway(error)) return undefined;
      throw error;
    });
    const found = await Promise.race([loaded, timeout.promise]).finally(() => clearTimeout(timer));
    return found ?? aged(entry, performance.now());
  }

  /** The response in this encoding. The cache counts the memory of a new encoding. */
  async representationOf(key: string, answer: CachedResponse, encoding: Encoding): Promise<Representation> {
    const ready = answer.ready(encoding);
    if (ready) return ready;
    const representation = await answer.representation(encoding);
    const entry = this.#entries.peek(key);
    if (entry?.answer === answer) this.#keep(key, { ...entry });
    return representation;
  }

  /** Waits for a write, then makes responses stale, so that the writer sees the change before the event arrives. */
  async write<T>(tags: readonly string[], change: Promise<T>): Promise<T> {
    const answer = await change;
    this.forget(tags);
    return answer;
  }

  /** Makes the responses with these tags stale. */
  forget(tags: readonly string[]): void {
    this.#invalidationCount += 1;
    for (const tag of tags) {
      this.#note(tag, this.#invalidations.get(tag)?.removedAt ?? 0);
      for (const key of this.#keysOf(tag)) {
        const entry = this.#entries.peek(key);
        if (entry) Object.assign(entry, { freshUntil: 0, backOffUntil: 0 });
      }
    }
  }

  /** Deletes the responses with these tags, so that they are not served as stale ones either. */
  remove(tags: readonly string[]): void {
    this.forget(tags);
    for (const tag of tags) this.#note(tag, this.#invalidationCount);
    for (const tag of tags) for (const key of [...this.#keysOf(tag)]) this.#entries.delete(key);
  }

  #start(key: string, kind: ResponseKind, load: () => Promise<LoadedAnswer>) {
    const answer = this.#loadWithinLimit(key, kind, load);
    const loading = { since: performance.now(), answer };
    this.#loading.set(key, loading);
    // Prevents an unhandled rejection if no request waits for the load any more.
    answer.catch(() => undefined);
    return loading;
  }

  /** @throws Refusal `unavailable` if too many loads of the route are running for too long */
  async #loadWithinLimit(
    key: string,
    kind: ResponseKind,
    load: () => Promise<LoadedAnswer>,
  ): Promise<CachedAnswer> {
    const { route } = kind;
    try {
      if (!this.#bulkhead.isFull(route)) this.#bulkhead.take(route);
      else if (!(await this.#waitForPlace(route))) throw tooManyReads();
      try {
        // Several requests share the load, so it must not end with the deadline of the first one.
        return await withBudget(0, () => this.#load(key, kind, load), this.#timeoutMs);
      } finally {
        this.#bulkhead.free(route);
      }
    } finally {
      this.#loading.delete(key);
    }
  }

  /** Waits until a load of the route ends, and takes its place. False after too long a wait. */
  #waitForPlace(route: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#bulkhead.wait(route, (isFree) => {
      if (isFree) this.#bulkhead.take(route);
      resolve(isFree);
    });
    return promise;
  }

  /** Loads from a database replica. If the replica may lack a recent change, loads again from the primary database. */
  async #load(key: string, kind: ResponseKind, load: () => Promise<LoadedAnswer>): Promise<CachedAnswer> {
    let isCurrent = this.#mayLag(kind, this.#entries.peek(key)?.answer.tags ?? []);
    for (let attempt = 1; ; attempt += 1) {
      const began = this.#invalidationCount;
      const epoch = this.#connectionEpoch;
      const loaded = await withCurrentReads(isCurrent, load).catch((error: unknown) => {
        // The replica may not have a record yet that was published a moment ago.
        if (isAway(error) || isCurrent || !kind.mayLag || performance.now() >= this.#laggingUntil)
          return this.#failed(key, error);
        return undefined;
      });
      if (!isCurrent && (!loaded || this.#mayLag(kind, loaded.tags))) {
        isCurrent = true;
        attempt -= 1;
        continue;
      }
      if (!loaded) continue;
      const { text, tags, ageMs, expiresAt } = loaded;
      const invalidations =
        this.#invalidationCount === began ? [] : tags.flatMap((tag) => this.#invalidations.get(tag) ?? []);
      const outdated = invalidations.some(({ at }) => at > began);
      const removed = invalidations.some(({ removedAt }) => removedAt > began);
      // The data changed during the load, so it may be older than what its author has already seen.
      if (outdated && attempt < maxLoads) continue;
      const now = performance.now();
      const headers = this.#headers(kind.area);
      const answer = new CachedResponse(kind, text, tags, now - (ageMs ?? 0), headers, expiresAt);
      const freshMs = Math.min(kind.freshMs, answer.expiresAt - Date.now());
      const fresh = !outdated && ageMs === undefined;
      const backOffUntil = ageMs === undefined ? 0 : now + backOffMs;
      // A response that was deleted during the load is not cached, not even as a stale one.
      if (!removed) this.#keep(key, { answer, epoch, freshUntil: fresh ? now + freshMs : 0, backOffUntil });
      return { answer, ageMs };
    }
  }

  #note(tag: string, removedAt: number): void {
    this.#laggingUntil = performance.now() + laggingMs;
    this.#invalidations.set(tag, {
      at: this.#invalidationCount,
      removedAt,
      laggingUntil: this.#laggingUntil,
    });
  }

  /** Whether a database replica may lack changes of these tags, or changes whose events were missed. */
  #mayLag({ mayLag }: ResponseKind, tags: readonly string[]): boolean {
    const now = performance.now();
    return (
      mayLag === true &&
      (now < this.#missedEventsUntil ||
        tags.some((tag) => now < (this.#invalidations.get(tag)?.laggingUntil ?? 0)))
    );
  }

  #failed(key: string, error: unknown): never {
    const entry = this.#entries.peek(key);
    if (entry && isAway(error)) entry.backOffUntil = performance.now() + backOffMs;
    if (entry && !isAway(error)) this.#entries.delete(key);
    throw error;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    // The cache refuses an entry that is larger than the whole cache.
    if (!this.#entries.has(key)) return;
    // Must follow `set`, because replacing an entry removes its tags from the index.
    for (const tag of entry.answer.tags) {
      const keys = this.#byTag.get(tag);
      if (keys === undefined) this.#byTag.set(tag, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) this.#byTag.set(tag, new Set([keys, key]));
    }
  }

  #unlink(key: string, { tags }: CachedResponse): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag);
      if (keys === key) this.#byTag.delete(tag);
      else if (keys instanceof Set && keys.delete(key) && keys.size === 0) this.#byTag.delete(tag);
    }
  }

  #keysOf(tag: string): Iterable<string> {
    const keys = this.#byTag.get(tag) ?? [];
    return typeof keys === 'string' ? [keys] : keys;
  }

  #isFresh(entry: Entry, now: number): boolean {
    return now < entry.freshUntil && entry.epoch === this.#connectionEpoch;
  }

  #isTooOld({ answer }: Entry, now: number): boolean {
    return now - answer.madeAt > this.#staleMs;
  }

  /** Starts a new epoch when NATS disconnects or reconnects, because events of the time between are missing. */
  #followConnection(connection: Bus['connection']): void {
    const startEpoch = () => {
      this.#connectionEpoch += 1;
      this.#missedEventsUntil = this.#laggingUntil = performance.now() + laggingMs;
    };
    startEpoch();
    connectionStatus(connection).changes.on('lost', startEpoch).on('back', startEpoch);
  }
}

const tooManyReads = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are under way. Please try again in a moment.');

const aged = ({ answer }: Entry, now: number): CachedAnswer => ({ answer, ageMs: now - answer.madeAt });

function isAway(error: unknown): boolean {
  return !(error instanceof Refusal) || ['unavailable', 'timeout', 'internal'].includes(error.code);
}
