import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Area } from '../http/area.ts';
import type { LimitName } from '../http/route-settings.ts';
import type { Encoding } from './accepted-encoding.ts';

/** The properties that all responses of a route share. */
export interface ResponseKind {
  readonly area: Area;
  /** Template of the route, for metrics. */
  readonly route: string;
  /** The rate limits against which a request counts. */
  readonly limits: readonly LimitName[];
  readonly contentType: string;
  /** For downloads. */
  readonly contentDisposition?: string;
  readonly cacheControl: string;
  /** How long a response is fresh, if no event invalidates it. */
  readonly freshMs: number;
  /** How long shared caches may serve a response without revalidation. */
  readonly sharedMs: number;
  /** Whether a service reads the data, possibly from a lagging database replica. False for responses made of cached ones. */
  readonly mayLag?: boolean;
}

/** A response in one content encoding. */
export interface Representation {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller bodies fit into one packet uncompressed. */
const compressedFrom = 1024;
// Nearly the size of the highest quality, in a tenth of its time.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
export const alwaysRevalidate = 'public, no-cache';
/** Memory of an entry in addition to its body: headers and index, and each tag with its set of keys. */
const overheadBytes = 1500;
const tagBytes = 300;

/** A public response as finished bytes. It depends only on public data, never on a request. */
export class CachedResponse {
  readonly #hash: string;
  readonly #identity: Representation;
  // Created lazily, since most responses are never requested in another encoding.
  #representations: Map<Encoding, Representation> | undefined;
  #compressing: Map<Encoding, Promise<Representation>> | undefined;

  constructor(
    readonly kind: ResponseKind,
    text: string,
    readonly tags: readonly string[],
    readonly madeAt: number,
    private readonly common: Readonly<Record<string, string>>,
    /** When time alone makes the content outdated, such as the end of a workshop; by `Date.now()`. */
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

  /** The representation in `encoding` if it exists, or the uncompressed one if compression does not pay off. */
  ready(encoding: Encoding): Representation | undefined {
    if (encoding === 'identity' || this.#identity.body.length < compressedFrom) return this.#identity;
    return this.#representations?.get(encoding);
  }

  /** The representation in `encoding`. Compression runs once, outside the event loop. */
  async representation(encoding: Encoding): Promise<Representation> {
    const ready = this.ready(encoding);
    if (ready || encoding === 'identity') return ready ?? this.#identity;
    this.#compressing ??= new Map();
    const compressing = this.#compressing.get(encoding) ?? this.#compress(encoding);
    this.#compressing.set(encoding, compressing);
    return compressing;
  }

  /** Whether `If-None-Match` names this response in any encoding. */
  matches(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header.trim() === '*') return true;
    return header.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([\w-]{27})(?:\.\w+)?"\s*$/.exec(tag) ?? [];
      return hash === this.#hash;
    });
  }

  /** A response that soon expires by time must not be stored in shared caches. */
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
        // A strong tag, so each encoding needs its own.
        etag: `"${this.#hash}${plain ? '' : `.${encoding}`}"`,
        vary: 'accept-encoding',
      },
    };
  }
}
