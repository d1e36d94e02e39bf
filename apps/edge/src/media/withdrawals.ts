import { idsIn, withdrawalKey } from '@stoa/contracts';
import { fetchFromPart } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';

/** Milliseconds for which a list may be cached. Withdrawals must take effect within 5 s, with the delivery of the event. */
const freshMs = 1000;
const timeoutMs = 3000;
/** Maximum number of accounts whose lists are cached. */
const mostRemembered = 10_000;

interface List {
  readonly readAt: number;
  readonly ids: Promise<ReadonlySet<string>>;
}

/**
 * Knows which objects are withdrawn. The media service stores a list for each account beside the objects; this cache reads it
 * at most once a second. If the list cannot be read, the objects cannot be read either.
 */
@Injectable()
export class Withdrawals {
  readonly #bucket: string;
  readonly #lists = new Map<string, List>();

  constructor({ S3_ENDPOINT, S3_PUBLIC_BUCKET }: EdgeConfig) {
    this.#bucket = `${S3_ENDPOINT.replace(/\/$/, '')}/${S3_PUBLIC_BUCKET}`;
  }

  /** Whether the object with this key is withdrawn. @throws Error if the store cannot be read */
  async include(key: string): Promise<boolean> {
    const [uid, ...others] = idsIn(key);
    if (uid === undefined) return false;
    const withdrawn = await this.#listOf(uid);
    return [uid, ...others].some((id) => withdrawn.has(id));
  }

  #listOf(uid: string): Promise<ReadonlySet<string>> {
    const now = performance.now();
    const known = this.#lists.get(uid);
    if (known && now - known.readAt < freshMs) return known.ids;
    const ids = this.#read(uid);
    this.#lists.delete(uid);
    this.#lists.set(uid, { readAt: now, ids });
    ids.catch(() => this.#lists.delete(uid));
    for (const [oldest, { readAt }] of this.#lists) {
      if (this.#lists.size <= mostRemembered && now - readAt < freshMs) break;
      this.#lists.delete(oldest);
    }
    return ids;
  }

  async #read(uid: string): Promise<ReadonlySet<string>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetchFromPart(`${this.#bucket}/${withdrawalKey(uid)}`, { signal });
    if (answer.ok) return new Set(idsIn(await answer.text()));
    await answer.body?.cancel();
    // For a missing object S3 answers 403 if the client may not list the bucket.
    if (answer.status === 404 || answer.status === 403) return new Set();
    throw new Error(`the object store answered ${answer.status} for a list of withdrawn objects`);
  }
}
