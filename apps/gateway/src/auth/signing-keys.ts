import { callMs } from '@stoa/messaging';
import { fetchFromPart } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JWSHeaderParameters,
} from 'jose';
import { KeyObject, type webcrypto } from 'node:crypto';
import type { SecretOrKeyProvider } from 'passport-jwt';

/** Keycloak could not say whether a key is its own, so nothing is known of the token. */
export class KeysUnavailable extends Error {}

const presets = {
  /** A key that was taken back is refused once this has passed. */
  freshMs: 10 * 60 * 1000,
  /** Longer than an access token lives, short enough that a key which was taken back does not last. */
  keptMs: 60 * 60 * 1000,
  /** Unknown key ids would otherwise let anybody make us ask Keycloak without end. */
  pauseMs: 6000,
};
/** After it a Keycloak that is silent counts as away. */
const fetchMs = 3000;

/**
 * The realm's public keys, from memory. They are asked for again in the background every ten minutes, at once for a key
 * that is not among them, and go on being taken for an hour while Keycloak does not answer.
 */
export function signingKeys(jwksUri: string, times: Partial<typeof presets> = {}): SecretOrKeyProvider {
  const { freshMs, keptMs, pauseMs } = { ...presets, ...times };
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: keptMs,
    cooldownDuration: pauseMs,
    timeoutDuration: fetchMs,
    [customFetch]: fetchFromPart,
  });
  // Made once for each key: for every request exporting and importing it again took as long as the check of the signature.
  const keyObjects = new WeakMap<webcrypto.CryptoKey, KeyObject>();
  let dueAt = 0;

  function refreshWhenDue(): void {
    const now = Date.now();
    if (now < dueAt) return;
    dueAt = now + freshMs;
    // Only the first caller has to wait for the keys.
    if (keys.jwks() === undefined) return;
    withTaskSpan('refresh signing keys', {}, () => keys.reload()).catch(() => {
      dueAt = Date.now() + pauseMs;
    });
  }

  async function keyFor(token: string): Promise<KeyObject | undefined> {
    const header = headerOf(token);
    if (!header) return undefined;
    refreshWhenDue();
    try {
      const key = await inTime(keys(header));
      const known = keyObjects.get(key) ?? KeyObject.from(key);
      keyObjects.set(key, known);
      return known;
    } catch (error) {
      if (isOfTheToken(error)) return undefined;
      throw new KeysUnavailable('The keys of Keycloak cannot be had', { cause: error });
    }
  }

  return (_request, token: string, done) =>
    void keyFor(token).then(
      (key) => done(null, key),
      (error: unknown) => done(error),
    );
}

/**
 * Waits no longer than the request has left that brought the token. Keys that are asked for meanwhile are there for those that
 * come after it.
 */
async function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Keycloak is silent')), callMs(fetchMs));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function headerOf(token: string): JWSHeaderParameters | undefined {
  try {
    return decodeProtectedHeader(token) as JWSHeaderParameters;
  } catch {
    return undefined;
  }
}

const isOfTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWSInvalid;
