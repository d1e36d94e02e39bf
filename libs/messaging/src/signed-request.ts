import { Caller } from '@stoa/contracts';
import {
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify as hasSigned,
} from 'node:crypto';
import { z } from 'zod';

const algorithm = 'Ed25519';
const typ = 'stoa-request+jwt';
/** What clocks of two machines may differ by. The ids of requests are remembered for as long, so that none comes twice. */
const toleranceSeconds = 30;
/** The longest request has 30 s; what says that it lives for longer was not made by `sign`. */
const longestLifeSeconds = 60;

/** Nothing else may stand there: a critical extension, for one, would have to be understood. */
const ProtectedHeader = z.strictObject({
  alg: z.literal(algorithm),
  kid: z.string(),
  typ: z.literal(typ),
});
const Claims = z.object({
  aud: z.string(),
  jti: z.string().min(16).max(64),
  iat: z.int(),
  exp: z.int(),
  /** SHA-256 of the request's bytes. */
  body: z.string(),
  caller: Caller.nullable(),
});

/** One request as it is signed: who asks what of whom, and until when. */
export interface SignedRequest {
  readonly subject: string;
  readonly body: string;
  /** Null for a visitor. */
  readonly caller: Caller | null;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** A request without a valid signature of an allowed key, or one that is replayed. */
export class ForgedRequest extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`This request is not as the gateway signed it: ${reason}`, { cause });
    this.name = 'ForgedRequest';
  }
}

/** A request that the gateway has signed, at a time that is not near enough to this machine's. */
export class ClocksApart extends ForgedRequest {
  constructor(reason: string) {
    super(`${reason}. Are the clocks of both machines set by NTP? They may differ by ${toleranceSeconds} s.`);
    this.name = 'ClocksApart';
  }
}

// Not by a library for JWTs: those sign by Web Crypto, which makes a job for another thread of each signature, and changing
// threads took a tenth of the processor time of a service.

/** Signs requests with the private key of an installation, which the gateway alone has. */
export class RequestSigner {
  readonly #key: KeyObject;
  readonly #head: string;

  /** @param key Ed25519, PKCS #8, DER in base64: what `stoa secrets` makes. */
  constructor(key: string) {
    this.#key = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
    requireEd25519(this.#key);
    this.#head = encoded({ alg: algorithm, kid: keyIdOf(createPublicKey(this.#key)), typ });
  }

  /** A compact JWS, good for this one request until its deadline. */
  sign({ subject, body, caller, deadline }: SignedRequest): string {
    const claims: z.infer<typeof Claims> = {
      aud: subject,
      jti: randomBytes(16).toString('base64url'),
      iat: Math.floor(Date.now() / 1000),
      exp: Math.ceil(deadline / 1000),
      body: hashOf(body),
      caller,
    };
    const signed = `${this.#head}.${encoded(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#key).toString('base64url')}`;
  }
}

/** Tells requests that were signed from others, by public keys alone: a service can prove, but not make, them. */
export class RequestVerifier {
  readonly #keys: Map<string, KeyObject>;
  readonly #known: SeenIds;

  /** @param keys Ed25519, SPKI, DER in base64, comma-separated: the one in use, and others while it is changed. */
  constructor(keys: string, maxKnown = 100_000) {
    this.#keys = new Map(keys.split(',').map(readPublicKey));
    this.#known = new SeenIds(maxKnown);
  }

  /**
   * Who asks, null for a visitor.
   *
   * @throws ForgedRequest for any other subject or body than was signed, a repeated request, or another key; `ClocksApart` for
   * one that is over or issued later than now by more than clocks may differ.
   */
  async verify(token: string, subject: string, body: string | Uint8Array): Promise<Caller | null> {
    const claims = Claims.safeParse(this.#payload(token));
    if (!claims.success) throw new ForgedRequest('claims are missing', claims.error);
    const { aud, jti, iat, exp, caller, body: bodyHash } = claims.data;
    const now = Date.now() / 1000;
    if (aud !== subject) throw new ForgedRequest('it is for another subject');
    if (now >= exp + toleranceSeconds) throw new ClocksApart(`it was over ${Math.round(now - exp)} s ago`);
    if (now < iat - toleranceSeconds)
      throw new ClocksApart(`it was issued ${Math.round(iat - now)} s later than now`);
    if (exp - iat > longestLifeSeconds) throw new ForgedRequest('it lives for too long');
    if (bodyHash !== hashOf(body)) throw new ForgedRequest('its body is another');
    if (!this.#known.add(jti, exp + toleranceSeconds)) throw new ForgedRequest('it came before');
    return caller;
  }

  /** What a key that is known has signed. */
  #payload(token: string): unknown {
    const [head = '', payload = '', signature = '', ...more] = token.split('.');
    const header = ProtectedHeader.safeParse(decoded(head));
    if (!header.success || more.length > 0) throw new ForgedRequest('it is no signed request', header.error);
    const key = this.#keyFor(header.data.kid);
    if (!hasSigned(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')))
      throw new ForgedRequest('its signature is another');
    return decoded(payload);
  }

  #keyFor(keyId: string): KeyObject {
    const key = this.#keys.get(keyId);
    if (!key) throw new ForgedRequest('nobody knows its key');
    return key;
  }
}

/** Ids of requests that could come a second time. Those that came first go first when there are too many. */
class SeenIds {
  readonly #expiries = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the id is new. */
  add(id: string, expiresAt: number): boolean {
    const now = Date.now() / 1000;
    if ((this.#expiries.get(id) ?? 0) > now) return false;
    for (const [known, expiry] of this.#expiries) {
      if (expiry > now && this.#expiries.size < this.#max) break;
      this.#expiries.delete(known);
    }
    this.#expiries.set(id, expiresAt);
    return true;
  }
}

function readPublicKey(text: string): [string, KeyObject] {
  const key = createPublicKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'spki' });
  requireEd25519(key);
  return [keyIdOf(key), key];
}

function requireEd25519(key: KeyObject): void {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('Requests are signed with Ed25519 keys only.');
}

const keyIdOf = (key: KeyObject) => hashOf(key.export({ format: 'der', type: 'spki' })).slice(0, 16);
const hashOf = (bytes: string | Uint8Array) => hash('sha256', bytes, 'base64url');
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
