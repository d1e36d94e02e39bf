import { passportJwtSecret } from 'jwks-rsa';

const freshForMs = 10 * 60 * 1000;
/** Longer than an access token lives, short enough that a key which was taken back does not last. */
const outageMs = 60 * 60 * 1000;

/**
 * The realm's public keys, asked for at most every ten minutes. A key that is known goes on being taken for an hour
 * while Keycloak cannot be reached; one that Keycloak answers no longer to know is refused at once.
 */
export const signingKeys = (jwksUri: string, freshMs = freshForMs) =>
  passportJwtSecret({
    jwksUri,
    cache: true,
    cacheMaxAge: freshMs,
    cacheMaxAgeFallback: outageMs,
    // Unknown key ids would otherwise let anybody make us ask Keycloak without end.
    rateLimit: true,
    jwksRequestsPerMinute: 10,
    timeout: 3000,
  });
