import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Area } from '../http/area.ts';
import type { LimitName } from '../http/route-settings.ts';
import type { Encoding } from './accepted-encoding.ts';

/** What all responses of a route have in common. */
export interface ResponseKind {
  readonly area: Area;
  /** Path pattern of the route, for metrics. */
  readonly route: string;
  /** The rate limits against which a request counts. */
  readonly limits: readonly LimitName[];
  readonly contentType: string;
  /** Set only for downloads. */
  readonly contentDisposition?: string;
  readonly cacheControl: string;
  /** Milliseconds for which a response is fresh, unless an event makes it stale earlier. */
  readonly freshMs: number;
  /** Milliseconds for which shared caches may serve a response without revalidation. */
  readonly sharedMs: number;
  /** Whether the data may come from a database replica that lags. False for a response that is made of cached ones. */
  readonly mayLag?: boolean;
}

export interface Representation {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller bodies are sent uncompressed, because they fit into one packet anyway. */
const compressedFrom = 1024;
// Almost as small as with the highest quality (11), in a tenth of the time.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
export const alwaysRevalidate = 'public, no-cache';
/** Estimated memory of an entry besides its body, and of each tag. */
const overheadBytes = 1500;
const tagBytes = 300;

/** A public response as bytes. It depends only on public data, never on the request. */
export class CachedResponse {
  readonly #hash: string;
  readonly #identity: Representation;
  // Created when needed, because most responses are never requested in another encoding.
  #representations: Map<Encoding, Representation> | undefined;
  #compressing: Map<Encoding, Promise<Representation>> | undefined;

  constructor(
    readonly kind: ResponseKind,
    text: string,
    readonly tags: readonly string[],
    readonly madeAt: number,
    private readonly common: Readonly<Record<string, string>>,
    /** When the content is outdated without any event, such as at the end of a workshop (`Date.now()`). */
    readonly expiresAt = Infinity,
  ) {
    const body = Buffer.from(text);
    this.#hash = hash('sha256', body, 'base64url').slice(0, 27);
    this.#identity = this.#representation('identity', body);
  }

  get text(): string {
    return this.#identity.body.toString();
  }

  /** Memory in bytes. */
  get size(): number {
    let size = overheadBytes + tagBytes * this.tags.length + this.#identity.body.length;
    for (const { body } of this.#representations?.values() ?? []) size += body.length;
    return size;
  }

  /** The response in this encoding if it is ready; the uncompressed one if compression is not worth it. */
  ready(encoding: Encoding): Representation | undefined {
    if (encoding === 'identity' || this.#identity.body.length < compressedFrom) return this.#identity;
    return this.#representations?.get(encoding);
  }

  /** The response in this encoding. It is compressed only once, in another thread. */
  async representation(encoding: Encoding): Promise<Representation> {
    const ready = this.ready(encoding);
    if (ready || encoding === 'identity') return ready ?? this.#identity;
    this.#compressing ??= new Map();
    const compressing = this.#compressing.get(encoding) ?? this.#compress(encoding);
    this.#compressing.set(encoding, compressing);
    return compressing;
  }

  /** Whether `If-None-Match` contains the tag of this response, in any encoding. */
  matches(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header.trim() === '*') return true;
    return header.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([\w-]{27})(?:\.\w+)?"\s*$/.exec(tag) ?? [];
      return hash === this.#hash;
    });
  }

  /** Shared caches must not store a response that becomes outdated soon. */
  get #cacheControl(): string {
    const { cacheControl, freshMs, sharedMs } = this.kind;
    return this.expiresAt - Date.now() < freshMs + sharedMs ? alwaysRevalidate : cacheControl;
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Representation> {
    const representation = this.#representation(encoding, await compress[encoding](this.#identity.body));
    this.#representations ??= new Map();
    this.#representations.set(encoding, representation);
    this.#compressing?.delete(encoding);
    return representation;
  }

  #representation(encoding: Encoding, body: Buffer): Representation {
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
        // A strong tag must differ for each encoding.
        etag: `"${this.#hash}${plain ? '' : `.${encoding}`}"`,
        vary: 'accept-encoding',
      },
    };
  }
}
