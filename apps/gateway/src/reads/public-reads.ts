import { Bus, connectionStatus, elapsedMs, Refusal, withBudget, withCurrentReads } from '@stoa/messaging';
import { maxEntries } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.ts';
import { headersFor } from '../http/response-headers.ts';
import type { Encoding } from './accepted-encoding.ts';
import { type Representation, type ResponseKind, CachedResponse } from './cached-response.ts';
import { RouteBulkhead } from './route-bulkhead.ts';

/** The result of a load. */
export interface LoadedAnswer {
  readonly text: string;
  /** Invalidating any of these tags makes the response stale. */
  readonly tags: readonly string[];
  /** Age of the oldest part, if a part was stale. */
  readonly ageMs?: number | undefined;
  /** When time alone makes the content outdated, such as the end of a workshop; by `Date.now()`. */
  readonly expiresAt?: number | undefined;
}

export interface CachedAnswer {
  readonly answer: CachedResponse;
  /** Age of a stale response in milliseconds. */
  readonly ageMs?: number | undefined;
}

/** The last invalidation of a tag. */
interface Invalidation {
  /** Sequence number of the invalidation. */
  readonly at: number;
  /** Sequence number of the last removal; 0 for none. */
  readonly removedAt: number;
  /** Until when a replica of a database may not have the change. */
  readonly laggingUntil: number;
}

interface Entry {
  readonly answer: CachedResponse;
  /** Until when the response is fresh. */
  freshUntil: number;
  /** The NATS connection during which it was loaded. Only that one delivers every event about it. */
  readonly epoch: number;
  /** Until when it is served stale without a load, because the last load failed. */
  backOffUntil: number;
}

/** How long a request waits for a load before it gets a stale response: less than a page waits for its data. */
const staleFallbackMs = 150;
/** Pause after a failed load. */
const backOffMs = 1000;
const maxLoads = 3;
/** Longer than the allowed lag of a replica and the delay of an event together. */
const laggingMs = 30_000;
/** Bound on tags whose last invalidation is remembered, for loads in flight. */
const rememberedTags = 20_000;

/**
 * The cache of public responses, as finished bytes. Concurrent requests share one load (single-flight), events invalidate
 * responses by tag, and a stale response is served with its age while its source fails. A load depends only on its key, never
 * on the request.
 */
@Injectable()
export class PublicReads {
  readonly #entries: LRUCache<string, Entry>;
  /** Most tags belong to one response, which needs no set. */
  readonly #byTag = new Map<string, string | Set<string>>();
  readonly #invalidations = new LRUCache<string, Invalidation>(maxEntries(rememberedTags));
  readonly #loading = new Map<string, { since: number; answer: Promise<CachedAnswer> }>();
  readonly #bulkhead: RouteBulkhead;
  readonly #headers: ReturnType<typeof headersFor>;
  readonly #staleMs: number;
  readonly #timeoutMs: number;
  #invalidationCount = 0;
  #connectionEpoch = 0;
  /** Until when a replica may lack the last invalidation of any tag. */
  #laggingUntil = 0;
  /** The same for events that were missed without a NATS connection. */
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
    // Rejects only when the process stops before NATS is connected.
    void bus.opened.then((connection) => this.#followConnection(connection)).catch(() => undefined);
  }

  /** The cached response at `key`, if it can be served without a load. */
  peek(key: string): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = performance.now();
    if (this.#isFresh(entry, now)) return entry;
    return now < entry.backOffUntil && !this.#isTooOld(entry, now) ? aged(entry, now) : undefined;
  }

  /** The response at `key`, loaded unless it is fresh. @throws the error of `load` when no stale response may be served. */
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

  /** The response in this encoding. A new representation counts towards the size of the cache. */
  async representationOf(key: string, answer: CachedResponse, encoding: Encoding): Promise<Representation> {
    const ready = answer.ready(encoding);
    if (ready) return ready;
    const representation = await answer.representation(encoding);
    const entry = this.#entries.peek(key);
    if (entry?.answer === answer) this.#keep(key, { ...entry });
    return representation;
  }

  /** Awaits a write and invalidates tags, so that writers read their own writes before the event arrives. */
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

  /** Deletes the responses with these tags, so that they are not even served stale. */
  remove(tags: readonly string[]): void {
    this.forget(tags);
    for (const tag of tags) this.#note(tag, this.#invalidationCount);
    for (const tag of tags) for (const key of [...this.#keysOf(tag)]) this.#entries.delete(key);
  }

  #start(key: string, kind: ResponseKind, load: () => Promise<LoadedAnswer>) {
    const answer = this.#loadWithinLimit(key, kind, load);
    const loading = { since: performance.now(), answer };
    this.#loading.set(key, loading);
    // Prevents an unhandled rejection when no request awaits the load.
    answer.catch(() => undefined);
    return loading;
  }

  /** @throws Refusal `unavailable` when the bulkhead of the route stays full. */
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
        // Several requests share the load, so it has its own deadline, not that of the first request.
        return await withBudget(0, () => this.#load(key, kind, load), this.#timeoutMs);
      } finally {
        this.#bulkhead.free(route);
      }
    } finally {
      this.#loading.delete(key);
    }
  }

  /** Waits for a place in the bulkhead and takes it. Resolves to false after the wait limit. */
  #waitForPlace(route: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#bulkhead.wait(route, (isFree) => {
      if (isFree) this.#bulkhead.take(route);
      resolve(isFree);
    });
    return promise;
  }

  /** Loads from a replica, and once more from the primary database when a replica may lack a recent change. */
  async #load(key: string, kind: ResponseKind, load: () => Promise<LoadedAnswer>): Promise<CachedAnswer> {
    let isCurrent = this.#mayLag(kind, this.#entries.peek(key)?.answer.tags ?? []);
    for (let attempt = 1; ; attempt += 1) {
      const began = this.#invalidationCount;
      const epoch = this.#connectionEpoch;
      const loaded = await withCurrentReads(isCurrent, load).catch((error: unknown) => {
        // A replica may not have a record yet that was just published.
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
      // Data that changed during the load may be older than the author's last view of it.
      if (outdated && attempt < maxLoads) continue;
      const now = performance.now();
      const headers = this.#headers(kind.area);
      const answer = new CachedResponse(kind, text, tags, now - (ageMs ?? 0), headers, expiresAt);
      const freshMs = Math.min(kind.freshMs, answer.expiresAt - Date.now());
      const fresh = !outdated && ageMs === undefined;
      const backOffUntil = ageMs === undefined ? 0 : now + backOffMs;
      // A removed response is not cached, not even as stale.
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

  /** Whether a replica may lack changes of these tags, or changes whose events were missed. */
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
    // The entry exceeds the whole cache.
    if (!this.#entries.has(key)) return;
    // After `set`, since replacing an entry unlinks its tags.
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

  /** Starts a new epoch when the connection is lost or restored, since events during an outage are not delivered. */
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
