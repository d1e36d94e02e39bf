/**
 * Adds `__Host-` to the names of Keycloak's cookies in browsers, over HTTPS. Browsers accept such a cookie only from this
 * host, so no sibling host can set a session. Cookies without the prefix never reach Keycloak.
 */
export class CookieNames {
  readonly #prefix: '__Host-' | '';

  constructor(publicUrl: URL) {
    this.#prefix = publicUrl.protocol === 'https:' ? '__Host-' : '';
  }

  /** Converts a `Set-Cookie` header of Keycloak for the browser. */
  toBrowser(setCookie: string): string {
    if (this.#prefix === '') return setCookie;
    const [pair = '', ...attributes] = setCookie.split(';').map(trimmed);
    const kept = attributes.filter((attribute) => !/^(path|domain|secure)\s*(=|$)/i.test(attribute));
    return [this.#prefix + pair, 'Path=/', 'Secure', ...kept].join('; ');
  }

  /** Converts the browser's `Cookie` header for Keycloak; undefined if it contains no cookie of Keycloak. */
  toUpstream(header: string | undefined): string | undefined {
    const named = (header ?? '').split(';').map(trimmed);
    const unprefixed = named
      .filter((cookie) => cookie.startsWith(this.#prefix))
      .map((cookie) => cookie.slice(this.#prefix.length));
    return unprefixed.filter((cookie) => !cookie.startsWith('stoa-')).join('; ') || undefined;
  }
}

// `trim` would also remove other spaces, which browsers keep. A name that begins with such a space has no valid prefix.
const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');
