import { idsIn, withdrawalKey } from '@stoa/contracts';
import { fetchFromPart } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { EdgeConfig } from '../edge.config.ts';

/** A withdrawal takes effect within 5 s, including the delivery of its event to media. */
const freshMs = 1000;
const timeoutMs = 3000;
/** Bound on the accounts whose lists are cached. */
const mostRemembered = 10_000;

interface List {
  readonly readAt: number;
  readonly ids: Promise<ReadonlySet<string>>;
}

/**
 * The withdrawn objects of the store. Media stores one list per account beside the objects. This cache reads a list at most
 * once a second, so every replica sees it, also after a restart. When the list cannot be read, the store is down, and so are
 * its objects.
 */
@Injectable()
export class Withdrawals {
  readonly #bucket: string;
  readonly #lists = new Map<string, List>();

  constructor({ S3_ENDPOINT, S3_PUBLIC_BUCKET }: EdgeConfig) {
    this.#bucket = `${S3_ENDPOINT.replace(/\/$/, '')}/${S3_PUBLIC_BUCKET}`;
  }

  /** Whether the object with this key is withdrawn. @throws Error when the store cannot be read. */
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
    // S3 answers 403 for a missing object to a client that may not list the bucket.
    if (answer.status === 404 || answer.status === 403) return new Set();
    throw new Error(`the object store answered ${answer.status} for a list of withdrawn objects`);
  }
}
