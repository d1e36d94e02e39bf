import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/** The `Host` and `X-Forwarded-*` headers for the upstream. They replace those of the browser, which may be forged. */
export function forwardedHeaders(request: FastifyRequest, publicUrl: URL): Record<string, string> {
  const scheme = publicUrl.protocol.slice(0, -1);
  return {
    host: publicUrl.host,
    'x-forwarded-for': request.ip,
    'x-forwarded-host': publicUrl.host,
    'x-forwarded-proto': scheme,
    'x-forwarded-port': publicUrl.port || (scheme === 'https' ? '443' : '80'),
  };
}

export function pickHeaders(
  given: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string | string[]> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Response headers that describe the upstream server, or that the proxy sets itself. */
const ofTheProxy =
  /^(access-control-|cross-origin-|x-amz-|x-minio-|x-ratelimit-)|^(server|x-powered-by|via|content-security-policy|content-security-policy-report-only|x-frame-options|date|connection|keep-alive|transfer-encoding|x-content-type-options|x-xss-protection|x-robots-tag|x-forwarded-.*|referrer-policy|strict-transport-security|permissions-policy)$/;

export function withoutProxyHeaders<Headers extends object>(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofTheProxy.test(name.toLowerCase())),
  ) as Headers;
}

/** Disables retries, because a retry could post a form twice. */
export const neverRetry = (): null => null;
