import { securityHeaders } from '@stoa/platform';

/**
 * What every answer of the sign-in proxy says, Keycloak's own errors among them. Its pages carry no script or style of
 * their own, so none that somebody slips in is run. The site alone may frame them, for its silent check.
 */
export function pageHeaders(publicUrl: URL, site: string): Record<string, string> {
  return securityHeaders({
    https: publicUrl.protocol === 'https:',
    // A passkey is made and used here.
    features: ['publickey-credentials-create', 'publickey-credentials-get'],
    policy: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      // The sign-up page asks the site whether a username is taken.
      'connect-src': ["'self'", site],
      // The answer to the log-in form redirects to the site.
      'form-action': ["'self'", site],
      'frame-ancestors': [site],
      'base-uri': ["'none'"],
    },
  });
}

const asText = /^(text\/(css|javascript|html)|application\/javascript)$/i;

/** Of an answer of Keycloak: text says its character set, and nothing but files may be kept. */
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
