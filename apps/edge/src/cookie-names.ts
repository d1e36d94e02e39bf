/**
 * The names of Keycloak's cookies towards browsers. Over https they begin with `__Host-`, which a browser takes only from
 * this very host, over TLS and for all paths: no sister host can plant a session here. Keycloak knows them by its own
 * names; a cookie that comes under such a bare name is not handed on.
 */
export class CookieNames {
  readonly #prefix: '__Host-' | '';

  constructor(publicUrl: URL) {
    this.#prefix = publicUrl.protocol === 'https:' ? '__Host-' : '';
  }

  /** A `Set-Cookie` of Keycloak's, for the browser. */
  toBrowser(setCookie: string): string {
    if (this.#prefix === '') return setCookie;
    const [pair = '', ...attributes] = setCookie.split(';').map(trimmed);
    const kept = attributes.filter((attribute) => !/^(path|domain|secure)\s*(=|$)/i.test(attribute));
    return [this.#prefix + pair, 'Path=/', 'Secure', ...kept].join('; ');
  }

  /** The browser's `Cookie` header, for Keycloak; undefined when nothing in it is Keycloak's. */
  toUpstream(header: string | undefined): string | undefined {
    const named = (header ?? '').split(';').map(trimmed);
    const unprefixed = named
      .filter((cookie) => cookie.startsWith(this.#prefix))
      .map((cookie) => cookie.slice(this.#prefix.length));
    return unprefixed.filter((cookie) => !cookie.startsWith('stoa-')).join('; ') || undefined;
  }
}

// Not trim(), which takes away more blanks than browsers do: what begins with such a one got past their rule for the prefix.
const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');
