import { callMs } from '@stoa/messaging';
import { fetchFromPart } from '@stoa/platform';
import { withTaskSpan } from '@stoa/telemetry';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** Keycloak's keys cannot be fetched, so the gateway can verify no token. */
export class KeysUnavailable extends Error {}

const presets = {
  /** Milliseconds after which cached keys are fetched again. A key that Keycloak has revoked is accepted until then. */
  freshMs: 10 * 60 * 1000,
  /**
   * Milliseconds for which keys are used while Keycloak is down: longer than a token lives, so that no user is logged out.
   */
  keptMs: 60 * 60 * 1000,
  /** Minimum milliseconds between two fetches, so that tokens with invented key ids cannot flood Keycloak. */
  pauseMs: 6000,
};
/** Milliseconds after which a fetch fails. */
const fetchMs = 3000;

/**
 * Returns Keycloak's public keys, which verify tokens. They are cached; a background fetch refreshes them every ten minutes,
 * and an unknown key id causes a fetch. While Keycloak is down, cached keys are used for an hour.
 * @throws KeysUnavailable if Keycloak is down and no key is cached; an error of jose for a token of another key
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
    // While nothing is cached, the call of `keys` below fetches the keys itself.
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

/** Waits at most until the deadline of the request. The fetch continues, so that later requests find the keys. */
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
