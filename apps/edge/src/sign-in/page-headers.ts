import { securityHeaders } from '@stoa/platform';

/**
 * The headers of every response of the sign-in proxy, including Keycloak's own errors. The pages contain no inline script or
 * style, so the policy blocks injected ones. Only the site may frame the pages, for its silent check of the session.
 */
export function pageHeaders(publicUrl: URL, site: string): Record<string, string> {
  return securityHeaders({
    https: publicUrl.protocol === 'https:',
    // These pages create and use passkeys.
    features: ['publickey-credentials-create', 'publickey-credentials-get'],
    policy: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      // The sign-up page queries the site whether a username is taken.
      'connect-src': ["'self'", site],
      // The answer to the log-in form redirects to the site.
      'form-action': ["'self'", site],
      'frame-ancestors': [site],
      'base-uri': ["'none'"],
    },
  });
}

const asText = /^(text\/(css|javascript|html)|application\/javascript)$/i;

/** Adds the charset to text responses of Keycloak, and `no-store` to all but files. */
export function completePageHeaders<Headers extends { 'content-type'?: string }>(
  headers: Headers,
  isFile: boolean,
): Headers {
  const type = headers['content-type'];
  return {
    ...headers,
    ...(type && asText.test(type) && { 'content-type': `${type}; charset=utf-8` }),
    ...(!isFile && { 'cache-control': 'no-store' }),
  };
}
