import { LRUCache } from 'lru-cache';
import { createHmac } from 'node:crypto';
import { EvictedDebts, isPlace } from './evicted-debts.ts';
import { maxEntries } from './cache-size.ts';

export interface RateLimit {
  /** Requests in a period, which may also come all at once. */
  readonly limit: number;
  readonly periodMs: number;
  /** Whether a key that had to make room for others still counts. Where not, many other keys make it a new one. */
  readonly outlivesEviction?: boolean;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole seconds until the next request is let through; 0 for one that was. */
  readonly retryAfter: number;
}

/** What was let through for one key: name of the limit, digest of the key, how often. */
export type SpentTokens = [limit: string, digest: string, times: number];

/** What is not paid off: name of the limit, digest of the key or place of `EvictedDebts`, for how many milliseconds more. */
export type Debt = [limit: string, key: string, ms: number];

/** A request that was let through and is counted for good once it is known what came of it. */
export interface HeldRequest extends RateVerdict {
  /** Counts it here and tells the other replicas. */
  count(): void;
  /** Takes it back: it was not of the kind that is limited. */
  release(): void;
}

/** A key whose digests are made once: for whoever asks again and again over one connection. */
export class KnownKey {
  readonly digests = new Map<string, string>();
  constructor(readonly key: string) {}
}

export interface RateLimiterOptions {
  /** Key of the digests that stand for addresses; the same in every replica, or their counts do not meet. */
  readonly secret: string;
  /** Keys remembered of each limit; beyond, the one that was quiet for longest is forgotten. */
  readonly maxKeys?: number;
  readonly now?: () => number;
}

/** Limits of this period and longer are worth telling to a replica that starts. */
const longPeriodMs = 3_600_000;

/** 128 bits, as base64url. */
const digestLength = 22;

/**
 * Named limits by the generic cell rate algorithm: of each key one number is kept, the time at which its requests so
 * far are paid off. So a check takes the same time whatever came before, and a refused request costs its sender nothing.
 * Keys are kept as keyed digests alone.
 */
export class RateLimiter<Name extends string = string> {
  readonly #limits: ReadonlyMap<string, RateLimit & { readonly paidAt: PaidAt }>;
  readonly #secret: string;
  readonly #maxKeys: number;
  readonly #now: () => number;
  #spent = new Map<string, SpentTokens>();

  constructor(limits: Record<Name, RateLimit>, options: RateLimiterOptions) {
    this.#secret = options.secret;
    this.#maxKeys = options.maxKeys ?? 50_000;
    this.#now = options.now ?? (() => performance.now());
    this.#limits = new Map(
      Object.entries<RateLimit>(limits).map(([name, limit]) => [
        name,
        { ...limit, paidAt: new PaidAt(this.#maxKeys, limit.outlivesEviction) },
      ]),
    );
  }

  /** Counts one request of `key` against the limit, and says whether it may pass. */
  check(name: Name, key: string | KnownKey): RateVerdict {
    const digest = typeof key === 'string' ? this.#digest(name, key) : this.#knownDigest(name, key);
    const verdict = this.#take(name, digest);
    if (verdict.allowed) this.#note(name, digest);
    return verdict;
  }

  #take(name: Name, digest: string): RateVerdict {
    const { limit, periodMs, paidAt } = this.#limitOf(name);
    const now = this.#now();
    const paid = Math.max(now, paidAt.get(digest)) + periodMs / limit;
    const early = paid - now - periodMs;
    // A fraction of a millisecond is rounding, no debt.
    if (early > 0.001) return { allowed: false, retryAfter: Math.max(1, Math.ceil(early / 1000)) };
    paidAt.set(digest, paid);
    return { allowed: true, retryAfter: 0 };
  }

  /** As `check`, for a request of which only its answer says whether it counts. Until then it does, on this replica. */
  hold(name: Name, key: string): HeldRequest {
    const { limit, periodMs, paidAt } = this.#limitOf(name);
    const digest = this.#digest(name, key);
    const verdict = this.#take(name, digest);
    let isOpen = verdict.allowed;
    const once = (settle: () => void) => () => {
      if (isOpen) settle();
      isOpen = false;
    };
    return {
      ...verdict,
      count: once(() => this.#note(name, digest)),
      release: once(() => {
        paidAt.set(digest, paidAt.get(digest) - periodMs / limit);
      }),
    };
  }

  /** What was let through since the last call, at most `max` keys of it; the rest waits for the next call. */
  takeSpent(max: number): SpentTokens[] {
    const taken: SpentTokens[] = [];
    for (const [id, spent] of this.#spent) {
      if (taken.length === max) break;
      taken.push(spent);
      this.#spent.delete(id);
    }
    return taken;
  }

  /** Counts what another replica let through. It may fill a limit, never more, and unknown names mean nothing. */
  apply(spent: readonly SpentTokens[]): void {
    const now = this.#now();
    for (const [name, digest, times] of spent) {
      const known = this.#limits.get(name);
      if (!known || digest.length !== digestLength || !(times > 0)) continue;
      const { limit, periodMs, paidAt } = known;
      const until = Math.max(now, paidAt.get(digest)) + (times * periodMs) / limit;
      paidAt.set(digest, Math.min(until, now + periodMs));
    }
  }

  /**
   * What is not paid off yet of the limits with a long period: first the keys that are known now, then what those owe that had
   * to make room, read while it is taken.
   */
  *owed(): Generator<Debt> {
    const long = [...this.#limits].filter(([, { periodMs }]) => periodMs >= longPeriodMs);
    const known = long.map(([name, { paidAt }]) => [name, [...paidAt.known()]] as const);
    for (const [name, debts] of known) yield* this.#owedBy(name, debts);
    for (const [name, { paidAt }] of long) yield* this.#owedBy(name, paidAt.evicted.places(paidAt.heard));
  }

  /** In milliseconds, which count from when they are taken: a whole request more at each start would never be paid off. */
  *#owedBy(name: string, debts: Iterable<[key: string, paid: number]>): Generator<Debt> {
    for (const [key, paid] of debts) {
      const ms = Math.ceil(paid - this.#now());
      if (ms > 0) yield [name, key, ms];
    }
  }

  /** Knows what is `owed` at another replica. Knowing it twice changes nothing. */
  remember(owed: readonly Debt[]): void {
    const now = this.#now();
    for (const [name, key, ms] of owed) {
      const known = this.#limits.get(name);
      if (!known || !(ms > 0)) continue;
      const { periodMs, paidAt, outlivesEviction } = known;
      const paid = now + Math.min(ms, periodMs);
      if (key.length === digestLength) paidAt.set(key, Math.max(paidAt.get(key), paid));
      else if (outlivesEviction && isPlace(key)) paidAt.heard.raise(key, paid);
    }
  }

  #limitOf(name: string) {
    const known = this.#limits.get(name);
    if (!known) throw new Error(`There is no limit ${name}.`);
    return known;
  }

  #knownDigest(name: string, { key, digests }: KnownKey): string {
    const known = digests.get(name) ?? this.#digest(name, key);
    digests.set(name, known);
    return known;
  }

  #digest(name: string, key: string): string {
    return createHmac('sha256', this.#secret)
      .update(`limit ${name} ${key}`)
      .digest('base64url')
      .slice(0, digestLength);
  }

  #note(name: Name, digest: string): void {
    const id = `${name} ${digest}`;
    const spent = this.#spent.get(id);
    if (spent) spent[2] += 1;
    // Bounded while NATS is down: what does not fit is counted on this replica alone.
    else if (this.#spent.size < this.#maxKeys) this.#spent.set(id, [name, digest, 1]);
  }
}

/** When each key is paid off. */
class PaidAt {
  readonly #known: LRUCache<string, number>;
  readonly evicted = new EvictedDebts();
  /** What other replicas hand on by its place, which also counts for a key that was tried here before. */
  readonly heard = new EvictedDebts();

  constructor(maxKeys: number, outlivesEviction = false) {
    this.#known = new LRUCache<string, number>({
      ...maxEntries(maxKeys),
      ...(outlivesEviction && {
        dispose: (paid, digest, reason) => {
          if (reason === 'evict') this.evicted.add(digest, paid);
        },
      }),
    });
  }

  get(digest: string): number {
    // A request that was released is taken off a known key alone, so an older debt of it means nothing.
    const here = this.#known.get(digest) ?? this.evicted.paidAt(digest);
    return Math.max(here, this.heard.paidAt(digest));
  }

  set(digest: string, paid: number): void {
    this.#known.set(digest, paid);
  }

  known(): Iterable<[digest: string, paid: number]> {
    return this.#known.entries();
  }
}
