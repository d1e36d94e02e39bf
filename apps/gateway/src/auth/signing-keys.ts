import { callMs } from '@stoa/messaging';
import { fetchFromPart } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** The keys of Keycloak cannot be fetched, so the token cannot be verified. */
export class KeysUnavailable extends Error {}

const presets = {
  /** Refresh interval. A revoked key is refused after it. */
  freshMs: 10 * 60 * 1000,
  /** How long keys are used while Keycloak is down: longer than an access token lives, but a revoked key must not last. */
  keptMs: 60 * 60 * 1000,
  /** Minimum interval between fetches, so that tokens with unknown key ids cannot flood Keycloak. */
  pauseMs: 6000,
};
/** Timeout of a fetch. */
const fetchMs = 3000;

/**
 * The realm's public keys, cached in memory. A background fetch refreshes them every ten minutes. An unknown key id triggers a
 * fetch. During an outage of Keycloak the cached keys are used for an hour.
 *
 * @throws KeysUnavailable when Keycloak is down and no key is cached; an error of jose for a token of another key.
 */
export function signingKeys(jwksUri: string, times: Partial<typeof presets> = {}): JWTVerifyGetKey {
  const { freshMs, keptMs, pauseMs } = { ...presets, ...times };
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: keptMs,
    cooldownDuration: pauseMs,
    timeoutDuration: fetchMs,
    [customFetch]: fetchFromPart,
  });
  let dueAt = 0;

  function refreshWhenDue(): void {
    const now = Date.now();
    if (now < dueAt) return;
    dueAt = now + freshMs;
    // Without cached keys the first caller fetches them and waits.
    if (keys.jwks() === undefined) return;
    withTaskSpan('refresh signing keys', {}, () => keys.reload()).catch(() => {
      dueAt = Date.now() + pauseMs;
    });
  }

  return async (header, token) => {
    refreshWhenDue();
    try {
      return await withinBudget(keys(header, token));
    } catch (error) {
      if (isTokenError(error)) throw error;
      throw new KeysUnavailable('The keys of Keycloak cannot be fetched', { cause: error });
    }
  };
}

/**
 * Waits only for the remaining time of the request. The fetch continues, so later requests find the keys.
 */
async function withinBudget<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Keycloak is silent')), callMs(fetchMs));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const isTokenError = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWSInvalid;
