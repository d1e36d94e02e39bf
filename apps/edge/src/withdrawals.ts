import { idsIn, withdrawalKey } from '@stoa/contracts';
import { fetchFromPart } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';

/** What is hidden is hidden everywhere within 5 s, of which the event takes its part. */
const freshMs = 1000;
const timeoutMs = 3000;
/** Accounts whose lists are remembered for that second. */
const mostRemembered = 10_000;

interface List {
  readonly readAt: number;
  readonly ids: Promise<ReadonlySet<string>>;
}

/**
 * Which objects of the store are withdrawn: media keeps a list of them beside the objects, one for each account. It is
 * read anew each second that somebody asks, so that a list is seen by every replica and after any restart. Where it
 * cannot be read, the object could not be either.
 */
@Injectable()
export class Withdrawals {
  readonly #bucket: string;
  readonly #lists = new Map<string, List>();

  constructor({ S3_ENDPOINT, S3_PUBLIC_BUCKET }: EdgeConfig) {
    this.#bucket = `${S3_ENDPOINT.replace(/\/$/, '')}/${S3_PUBLIC_BUCKET}`;
  }

  /** Whether the object of this key may be read by nobody. @throws Error where the store does not say. */
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
    // To who may not list a bucket, a missing object is forbidden.
    if (answer.status === 404 || answer.status === 403) return new Set();
    throw new Error(`the object store answered ${answer.status} for a list of withdrawn objects`);
  }
}
