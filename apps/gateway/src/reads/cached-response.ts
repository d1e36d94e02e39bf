import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Area } from '../http/area.ts';
import type { LimitName } from '../http/route-settings.ts';
import type { Encoding } from './accepted-encoding.ts';

/** What all answers of a kind have in common. */
export interface ResponseKind {
  readonly area: Area;
  /** Template of the route that gives it, as metrics name it. */
  readonly route: string;
  /** What a request for it counts against. */
  readonly limits: readonly LimitName[];
  readonly contentType: string;
  /** For what is saved rather than shown. */
  readonly contentDisposition?: string;
  readonly cacheControl: string;
  /** How long it counts without asking again, although no event said that it changed. */
  readonly freshMs: number;
  /** How long caches in front give it without asking again. */
  readonly sharedMs: number;
  /** Whether it is made of what a service reads, from a replica of its database that may lag, and of no other kept answer. */
  readonly mayLag?: boolean;
}

/** One representation, ready to be sent. */
export interface Form {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Below this a compressed form saves no packet. */
const compressedFrom = 1024;
// About what is gained by the highest quality, for a tenth of its time.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
export const askAgain = 'public, no-cache';
/** What an entry weighs beside its bytes: headers, and its place in the index; each tag with its set of keys. */
const overheadBytes = 1500;
const tagBytes = 300;

/** A public answer as finished bytes. It is made from public data alone: no request takes part in it. */
export class CachedResponse {
  readonly #hash: string;
  readonly #identity: Form;
  // Most answers are never asked for in another encoding.
  #forms: Map<Encoding, Form> | undefined;
  #coming: Map<Encoding, Promise<Form>> | undefined;

  constructor(
    readonly kind: ResponseKind,
    text: string | Uint8Array,
    readonly tags: readonly string[],
    readonly madeAt: number,
    private readonly common: Readonly<Record<string, string>>,
    /** Until when it is true, by the clock (`Date.now`), where time alone makes another answer of it. */
    readonly expiresAt = Infinity,
  ) {
    // A copy of bytes, too: the message that they are a part of is not kept for their sake.
    const body = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text);
    this.#hash = hash('sha256', body, 'base64url').slice(0, 27);
    this.#identity = this.#form('identity', body);
  }

  get text(): string {
    return this.#identity.body.toString();
  }

  /** Bytes that it takes in memory. */
  get size(): number {
    let size = overheadBytes + tagBytes * this.tags.length + this.#identity.body.length;
    for (const { body } of this.#forms?.values() ?? []) size += body.length;
    return size;
  }

  /** The form in `encoding` where it is made already, or where it is not worth making. */
  ready(encoding: Encoding): Form | undefined {
    if (encoding === 'identity' || this.#identity.body.length < compressedFrom) return this.#identity;
    return this.#forms?.get(encoding);
  }

  /** The form in `encoding`, made once and outside the event loop. */
  async form(encoding: Encoding): Promise<Form> {
    const ready = this.ready(encoding);
    if (ready || encoding === 'identity') return ready ?? this.#identity;
    this.#coming ??= new Map();
    const coming = this.#coming.get(encoding) ?? this.#compress(encoding);
    this.#coming.set(encoding, coming);
    return coming;
  }

  /** Whether `If-None-Match` names what this is, in whichever encoding. */
  matches(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header.trim() === '*') return true;
    return header.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([\w-]{27})(?:\.\w+)?"\s*$/.exec(tag) ?? [];
      return hash === this.#hash;
    });
  }

  /** Nobody in front is to keep what may be sent shortly before it becomes another answer. */
  get #cacheControl(): string {
    const { cacheControl, freshMs, sharedMs } = this.kind;
    return this.expiresAt - Date.now() < freshMs + sharedMs ? askAgain : cacheControl;
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Form> {
    const form = this.#form(encoding, await compress[encoding](this.#identity.body));
    this.#forms ??= new Map();
    this.#forms.set(encoding, form);
    this.#coming?.delete(encoding);
    return form;
  }

  #form(encoding: Encoding, body: Buffer): Form {
    const plain = encoding === 'identity';
    const { contentDisposition } = this.kind;
    return {
      body,
      headers: {
        ...this.common,
        'cache-control': this.#cacheControl,
        'content-type': this.kind.contentType,
        ...(contentDisposition && { 'content-disposition': contentDisposition }),
        'content-length': String(body.length),
        ...(plain ? {} : { 'content-encoding': encoding }),
        // Strong: other bytes, other tag.
        etag: `"${this.#hash}${plain ? '' : `.${encoding}`}"`,
        vary: 'accept-encoding',
      },
    };
  }
}
