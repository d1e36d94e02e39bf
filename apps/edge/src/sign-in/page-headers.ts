import { securityHeaders } from '@stoa/platform';

/**
 * Headers of every response of the sign-in proxy. The policy blocks inline scripts and styles, because Keycloak's pages
 * contain none. Only the site may frame the pages, to check the session.
 */
export function pageHeaders(publicUrl: URL, site: string): Record<string, string> {
  return securityHeaders({
    https: publicUrl.protocol === 'https:',
    // The pages use these functions to create and use passkeys.
    features: ['publickey-credentials-create', 'publickey-credentials-get'],
    policy: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      // The sign-up page requests from the site whether a username is taken.
      'connect-src': ["'self'", site],
      // After a log-in the answer to the form redirects to the site.
      'form-action': ["'self'", site],
      'frame-ancestors': [site],
      'base-uri': ["'none'"],
    },
  });
}

const asText = /^(text\/(css|javascript|html)|application\/javascript)$/i;

/** Adds the charset to text responses of Keycloak, and `no-store` to all responses except files. */
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
