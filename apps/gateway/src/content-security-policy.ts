import type { GatewayConfig } from './gateway.config.ts';

/** What the pages may load: themselves, Keycloak for signing in, the object store for pictures and uploads. */
export function contentSecurityPolicy(config: GatewayConfig) {
  const keycloak = new URL(config.KEYCLOAK_URL).origin;
  const media = new URL(config.MEDIA_PUBLIC_URL).origin;
  const uploads = new URL(config.S3_PUBLIC_ENDPOINT).origin;
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', media],
      connectSrc: ["'self'", keycloak, uploads],
      // Keycloak's silent check begins in a frame and returns into it, to a page of our own.
      frameSrc: ["'self'", keycloak],
      frameAncestors: ["'self'"],
      formAction: ["'self'", keycloak],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
    },
  };
}
