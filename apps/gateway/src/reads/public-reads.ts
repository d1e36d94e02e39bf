import { Bus, connectionStatus, elapsedMs, Refusal, withBudget, withCurrentReads } from '@stoa/messaging';
import { maxEntries } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.ts';
import { headersFor } from '../http/response-headers.ts';
import type { Encoding } from './accepted-encoding.ts';
import { type Form, type ResponseKind, CachedResponse } from './cached-response.ts';
import { LoadingPlaces } from './loading-places.ts';

/** What was read to make an answer. */
export interface Loaded {
  /** As text, or as the bytes of it that a service made. */
  readonly text: string | Uint8Array;
  /** What it tells of: news of any of these make it stale. */
  readonly tags: readonly string[];
  /** Age of the oldest part, where a part was stale. */
  readonly ageMs?: number | undefined;
  /** When time makes another answer of it, by the clock: a workshop ends, and no event says so. */
  readonly expiresAt?: number | undefined;
}

export interface Found {
  readonly answer: CachedResponse;
  /** Milliseconds since it was made, for one that may have changed since. */
  readonly ageMs?: number | undefined;
}

/** The last that was heard of a tag. */
interface News {
  /** Which piece of news it was, of all. */
  readonly at: number;
  /** Which piece of news said that it is gone, the last that did; 0 for none. */
  readonly goneAt: number;
  /** Until when a replica of a database may not know it. */
  readonly laggingUntil: number;
}

interface Entry {
  readonly answer: CachedResponse;
  /** Until when it counts without asking again. */
  freshUntil: number;
  /** Which stretch of seeing every event it is from. */
  readonly watch: number;
  /** Until when it is given without asking, because asking was in vain. */
  inVainUntil: number;
}

/** How long a reader waits for news of what is there in an older state: less than a page waits for all that it shows. */
const staleFallbackMs = 150;
/** How long after a failed attempt no other is made. */
const restMs = 1000;
const reloads = 3;
/** Longer than a replica may lag before its service leaves it, and an event is on its way. */
const laggingMs = 30_000;
/** Tags whose last news are remembered, for answers that were on their way meanwhile. */
const rememberedTags = 20_000;

/**
 * Public answers as finished bytes. Each is loaded once for all who wait, forgotten by what the events say, and given
 * with its age while it cannot be loaded anew. It holds answers and decides nothing; what is loaded knows only its key,
 * nothing of the request.
 */
@Injectable()
export class PublicReads {
  readonly #entries: LRUCache<string, Entry>;
  /** Most tags are of one answer, which needs no set. */
  readonly #byTag = new Map<string, string | Set<string>>();
  readonly #news = new LRUCache<string, News>(maxEntries(rememberedTags));
  readonly #loading = new Map<string, { since: number; answer: Promise<Found> }>();
  readonly #places: LoadingPlaces;
  readonly #headers: ReturnType<typeof headersFor>;
  readonly #staleMs: number;
  readonly #timeoutMs: number;
  #newsCount = 0;
  #watch = 0;
  /** Until when a replica may not know some news. */
  #laggingUntil = 0;
  /** The same of news that were not heard, before NATS was there. */
  #deafUntil = 0;

  constructor(config: GatewayConfig, bus: Bus) {
    this.#headers = headersFor(config);
    this.#staleMs = config.PUBLIC_READS_STALE_SECONDS * 1000;
    this.#timeoutMs = config.READ_TIMEOUT_MS;
    this.#places = new LoadingPlaces(config.PUBLIC_READS_LOADING);
    this.#entries = new LRUCache<string, Entry>({
      maxSize: config.PUBLIC_READS_BYTES,
      sizeCalculation: ({ answer }, key) => answer.size + 2 * key.length,
      dispose: ({ answer }, key) => this.#unlink(key, answer),
    });
    // Rejects only where the process stops before NATS was there.
    void bus.opened.then((connection) => this.#followConnection(connection)).catch(() => undefined);
  }

  /** The answer at `key` as far as it can be given without waiting. */
  peek(key: string): Found | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = performance.now();
    if (this.#isFresh(entry, now)) return entry;
    return now < entry.inVainUntil && !this.#isTooOld(entry, now) ? aged(entry, now) : undefined;
  }

  /** The answer at `key`, that of `load` unless it is known. @throws whatever `load` throws, without an older answer. */
  async read(key: string, kind: ResponseKind, load: () => Promise<Loaded>): Promise<Found> {
    const known = this.peek(key);
    if (known) return known;
    const loading = this.#loading.get(key) ?? this.#start(key, kind, load);
    const entry = this.#entries.get(key);
    const now = performance.now();
    if (!entry || this.#isTooOld(entry, now)) return loading.answer;
    const timeout = Promise.withResolvers<undefined>();
    const left = Math.max(0, staleFallbackMs - Math.max(now - loading.since, elapsedMs()));
    const timer = setTimeout(() => timeout.resolve(undefined), left);
    const news = loading.answer.catch((error: unknown) => {
      if (isAway(error)) return undefined;
      throw error;
    });
    const found = await Promise.race([news, timeout.promise]).finally(() => clearTimeout(timer));
    return found ?? aged(entry, performance.now());
  }

  /** Whether there is no place for the answer at `key`: it is not there, and as many of its route are loaded as may be. */
  isFull(key: string, { route }: ResponseKind): boolean {
    return this.#places.isFull(route) && !this.#entries.has(key) && !this.#loading.has(key);
  }

  /** Tells once whether there is a place for an answer of this kind by now. */
  waitForPlace({ route }: ResponseKind, tell: (isThere: boolean) => void): void {
    this.#places.wait(route, tell);
  }

  /** The answer at `key` in this encoding; one that had to be made counts in the size of what is kept. */
  async formOf(key: string, answer: CachedResponse, encoding: Encoding): Promise<Form> {
    const ready = answer.ready(encoding);
    if (ready) return ready;
    const form = await answer.form(encoding);
    const entry = this.#entries.peek(key);
    if (entry?.answer === answer) this.#keep(key, { ...entry });
    return form;
  }

  /** Makes a change, and forgets what it makes stale: writers read their own writes before the event has arrived. */
  async write<T>(tags: readonly string[], change: Promise<T>): Promise<T> {
    const answer = await change;
    this.forget(tags);
    return answer;
  }

  /** Answers that tell of any of these are asked for again before they are given. */
  forget(tags: readonly string[]): void {
    this.#newsCount += 1;
    for (const tag of tags) {
      this.#note(tag, this.#news.get(tag)?.goneAt ?? 0);
      for (const key of this.#keysOf(tag)) {
        const entry = this.#entries.peek(key);
        if (entry) Object.assign(entry, { freshUntil: 0, inVainUntil: 0 });
      }
    }
  }

  /** The same for what is gone: it is not served any more, not even with its age. */
  remove(tags: readonly string[]): void {
    this.forget(tags);
    for (const tag of tags) this.#note(tag, this.#newsCount);
    for (const tag of tags) for (const key of [...this.#keysOf(tag)]) this.#entries.delete(key);
  }

  #start(key: string, kind: ResponseKind, load: () => Promise<Loaded>) {
    const answer = this.#loadWithinLimit(key, kind, load);
    const loading = { since: performance.now(), answer };
    this.#loading.set(key, loading);
    // Those who wait see a failure; without any it must not stay unhandled.
    answer.catch(() => undefined);
    return loading;
  }

  /** @throws Refusal `unavailable` where no place comes free soon: one more would only hold up all. */
  async #loadWithinLimit(key: string, kind: ResponseKind, load: () => Promise<Loaded>): Promise<Found> {
    const { route } = kind;
    try {
      if (!this.#places.isFull(route)) this.#places.take(route);
      else if (!(await this.#placeSoon(route))) throw tooManyReads();
      try {
        // For all who come to wait, so it has a whole request's time of its own, not what the first of them has left.
        return await withBudget(0, () => this.#load(key, kind, load), this.#timeoutMs);
      } finally {
        this.#places.free(route);
      }
    } finally {
      this.#loading.delete(key);
    }
  }

  /** Whether a place came free, which is taken then. */
  #placeSoon(route: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#places.wait(route, (isThere) => {
      if (isThere) this.#places.take(route);
      resolve(isThere);
    });
    return promise;
  }

  /** Asks for what every replica knows by now, and once more for the current state where some replica may not know it. */
  async #load(key: string, kind: ResponseKind, load: () => Promise<Loaded>): Promise<Found> {
    let isCurrent = this.#mayLag(kind, this.#entries.peek(key)?.answer.tags ?? []);
    for (let attempt = 1; ; attempt += 1) {
      const began = this.#newsCount;
      const watch = this.#watch;
      const loaded = await withCurrentReads(isCurrent, load).catch((error: unknown) => {
        // What was shown again a moment ago is not there yet for a replica.
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
      const news = this.#newsCount === began ? [] : tags.flatMap((tag) => this.#news.get(tag) ?? []);
      const outdated = news.some(({ at }) => at > began);
      const removed = news.some(({ goneAt }) => goneAt > began);
      // What changed while it was read may be older than what its author has seen.
      if (outdated && attempt < reloads) continue;
      const now = performance.now();
      const headers = this.#headers(kind.area);
      const answer = new CachedResponse(kind, text, tags, now - (ageMs ?? 0), headers, expiresAt);
      const freshMs = Math.min(kind.freshMs, answer.expiresAt - Date.now());
      const fresh = !outdated && ageMs === undefined;
      const inVainUntil = ageMs === undefined ? 0 : now + restMs;
      // One that is gone is not kept, not even to be given with its age.
      if (!removed) this.#keep(key, { answer, watch, freshUntil: fresh ? now + freshMs : 0, inVainUntil });
      return { answer, ageMs };
    }
  }

  #note(tag: string, goneAt: number): void {
    this.#laggingUntil = performance.now() + laggingMs;
    this.#news.set(tag, { at: this.#newsCount, goneAt, laggingUntil: this.#laggingUntil });
  }

  /** Whether a replica may not know what was heard of these tags, or was not heard while NATS was away. */
  #mayLag({ mayLag }: ResponseKind, tags: readonly string[]): boolean {
    const now = performance.now();
    return (
      mayLag === true &&
      (now < this.#deafUntil || tags.some((tag) => now < (this.#news.get(tag)?.laggingUntil ?? 0)))
    );
  }

  #failed(key: string, error: unknown): never {
    const entry = this.#entries.peek(key);
    if (entry && isAway(error)) entry.inVainUntil = performance.now() + restMs;
    if (entry && !isAway(error)) this.#entries.delete(key);
    throw error;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    // Larger than everything together may be.
    if (!this.#entries.has(key)) return;
    // Only now: of an entry whose place it takes the tags were just unlinked.
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
    return now < entry.freshUntil && entry.watch === this.#watch;
  }

  #isTooOld({ answer }: Entry, now: number): boolean {
    return now - answer.madeAt > this.#staleMs;
  }

  /** Without a connection no event arrives, and those of a longer while are not heard later either. */
  #followConnection(connection: Bus['connection']): void {
    const beginAnew = () => {
      this.#watch += 1;
      this.#deafUntil = this.#laggingUntil = performance.now() + laggingMs;
    };
    beginAnew();
    connectionStatus(connection).changes.on('lost', beginAnew).on('back', beginAnew);
  }
}

export const tooManyReads = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are under way. Please try again in a moment.');

const aged = ({ answer }: Entry, now: number): Found => ({ answer, ageMs: now - answer.madeAt });

function isAway(error: unknown): boolean {
  return !(error instanceof Refusal) || ['unavailable', 'timeout', 'internal'].includes(error.code);
}
