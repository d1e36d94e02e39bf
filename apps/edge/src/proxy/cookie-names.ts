/**
 * Renames Keycloak's cookies. Over https their names in browsers begin with `__Host-`. A browser accepts such a cookie only
 * from this host, over TLS and for all paths, so a sibling host cannot plant a session. Cookies without the prefix are not
 * forwarded to Keycloak.
 */
export class CookieNames {
  readonly #prefix: '__Host-' | '';

  constructor(publicUrl: URL) {
    this.#prefix = publicUrl.protocol === 'https:' ? '__Host-' : '';
  }

  /** Converts a `Set-Cookie` of Keycloak for the browser. */
  toBrowser(setCookie: string): string {
    if (this.#prefix === '') return setCookie;
    const [pair = '', ...attributes] = setCookie.split(';').map(trimmed);
    const kept = attributes.filter((attribute) => !/^(path|domain|secure)\s*(=|$)/i.test(attribute));
    return [this.#prefix + pair, 'Path=/', 'Secure', ...kept].join('; ');
  }

  /** Converts the browser's `Cookie` header for Keycloak; undefined when it has no cookie of Keycloak. */
  toUpstream(header: string | undefined): string | undefined {
    const named = (header ?? '').split(';').map(trimmed);
    const unprefixed = named
      .filter((cookie) => cookie.startsWith(this.#prefix))
      .map((cookie) => cookie.slice(this.#prefix.length));
    return unprefixed.filter((cookie) => !cookie.startsWith('stoa-')).join('; ') || undefined;
  }
}

// Not trim(): it removes spaces that browsers keep, and a cookie name that begins with one bypasses their rule for the prefix.
const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');
