import { LRUCache } from 'lru-cache';
import { createHmac } from 'node:crypto';
import { EvictedDebts, isCell } from './evicted-debts.ts';
import { maxEntries } from './cache-size.ts';

export interface RateLimit {
  /** Requests in a period; all of them may come as one burst. */
  readonly limit: number;
  readonly periodMs: number;
  /** Whether an evicted key still counts. Otherwise a flood of other keys resets it. */
  readonly outlivesEviction?: boolean;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole seconds until the next request is allowed; 0 for an allowed one. */
  readonly retryAfter: number;
}

/** Allowed requests of one key: name of the limit, digest of the key, count. */
export type SpentTokens = [limit: string, digest: string, times: number];

/** A debt: name of the limit, digest of the key or cell of `EvictedDebts`, milliseconds until it is paid off. */
export type Debt = [limit: string, key: string, ms: number];

/** An allowed request that counts for good once its outcome is known. */
export interface HeldRequest extends RateVerdict {
  /** Counts the request for good, and reports it to the other replicas. */
  count(): void;
  /** Takes the request back, because it was not of the limited kind. */
  release(): void;
}

/** A key with cached digests, for callers that check it repeatedly over one connection. */
export class KnownKey {
  readonly digests = new Map<string, string>();
  constructor(readonly key: string) {}
}

export interface RateLimiterOptions {
  /** Key of the digests that stand for addresses. All replicas need the same one to share counts. */
  readonly secret: string;
  /** Keys remembered per limit; beyond it the least recently used one is evicted. */
  readonly maxKeys?: number;
  readonly now?: () => number;
}

/** Limits with at least this period are sent to a replica that starts. */
const longPeriodMs = 3_600_000;

/** Characters of a digest: 128 bits in base64url. */
const digestLength = 22;

/**
 * Named limits by the generic cell rate algorithm (GCRA). It keeps one number per key, the time at which its requests
 * so far are paid off. A check therefore takes constant time, and a refused request costs its sender nothing. Keys
 * are stored only as keyed digests.
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

  /** Counts one request of `key` against the limit. @returns whether it is allowed. */
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
    // Ignores a fraction of a millisecond, which is a rounding error.
    if (early > 0.001) return { allowed: false, retryAfter: Math.max(1, Math.ceil(early / 1000)) };
    paidAt.set(digest, paid);
    return { allowed: true, retryAfter: 0 };
  }

  /** Like `check`, for a request whose answer decides whether it counts. Until then it counts on this replica only. */
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
      release: once(() => paidAt.takeBack(digest, periodMs / limit, this.#now())),
    };
  }

  /** Takes the requests allowed since the last call, of at most `max` keys; the rest waits for the next call. */
  takeSpent(max: number): SpentTokens[] {
    const taken: SpentTokens[] = [];
    for (const [id, spent] of this.#spent) {
      if (taken.length === max) break;
      taken.push(spent);
      this.#spent.delete(id);
    }
    return taken;
  }

  /** Counts requests that another replica allowed. They may fill a limit but not exceed it; unknown names are ignored. */
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
   * The debts of all limits with a long period: first those of the known keys, then those of evicted keys. The latter
   * are read while the generator runs.
   */
  *owed(): Generator<Debt> {
    const long = [...this.#limits].filter(([, { periodMs }]) => periodMs >= longPeriodMs);
    const known = long.map(([name, { paidAt }]) => [name, [...paidAt.known()]] as const);
    for (const [name, debts] of known) yield* this.#owedBy(name, debts);
    for (const [name, { paidAt }] of long) yield* this.#owedBy(name, paidAt.evicted.cells(paidAt.remote));
  }

  /** Relative times, computed when they are taken: rounding up by whole requests would add up with each restart. */
  *#owedBy(name: string, debts: Iterable<[key: string, paid: number]>): Generator<Debt> {
    for (const [key, paid] of debts) {
      const ms = Math.ceil(paid - this.#now());
      if (ms > 0) yield [name, key, ms];
    }
  }

  /** Adopts debts `owed` at another replica. It is idempotent. */
  remember(owed: readonly Debt[]): void {
    const now = this.#now();
    for (const [name, key, ms] of owed) {
      const known = this.#limits.get(name);
      if (!known || !(ms > 0)) continue;
      const { periodMs, paidAt, outlivesEviction } = known;
      const paid = now + Math.min(ms, periodMs);
      if (key.length === digestLength) paidAt.set(key, Math.max(paidAt.get(key), paid));
      else if (outlivesEviction && isCell(key)) paidAt.remote.raise(key, paid);
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
    // Bounds the counts to send while NATS is down; further requests count on this replica alone.
    else if (this.#spent.size < this.#maxKeys) this.#spent.set(id, [name, digest, 1]);
  }
}

class PaidAt {
  readonly #known: LRUCache<string, number>;
  readonly evicted = new EvictedDebts();
  /** Debts of evicted keys at other replicas, by cell. They also count for a key that is known here. */
  readonly remote = new EvictedDebts();

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
    // A released request is subtracted from a known key only, so a stale debt in a cell is ignored.
    const here = this.#known.get(digest) ?? this.evicted.paidAt(digest);
    return Math.max(here, this.remote.paidAt(digest));
  }

  set(digest: string, paid: number): void {
    this.#known.set(digest, paid);
  }

  /** Removes a key without a debt: otherwise invented keys would evict those with debts. */
  takeBack(digest: string, ms: number, now: number): void {
    const paid = this.get(digest) - ms;
    if (paid > now || this.evicted.paidAt(digest) > now) this.set(digest, paid);
    else this.#known.delete(digest);
  }

  known(): Iterable<[digest: string, paid: number]> {
    return this.#known.entries();
  }
}
