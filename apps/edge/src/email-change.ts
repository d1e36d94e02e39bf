import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** As long as Keycloak keeps a log-in that was begun: `accessCodeLifespanLogin` of the realm. */
const livesSeconds = 1800;

/**
 * Has each change of the e-mail begin with a log-in. Keycloak asks for the password when a change is asked for, and not when
 * one that waits for its proof is shown again. So only a log-in that was begun for the change may post an address: the
 * proxy remembers it in a cookie, by the id that Keycloak gave it.
 */
export class EmailChanges {
  readonly #secret: string;
  readonly #name: string;
  readonly #attributes: string;
  readonly #now: () => number;

  constructor(secret: string, publicUrl: URL, now: () => number = Date.now) {
    const secure = publicUrl.protocol === 'https:';
    this.#secret = secret;
    this.#name = `${secure ? '__Host-' : ''}stoa-email-change`;
    this.#attributes = `Path=/; Max-Age=${livesSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    this.#now = now;
  }

  /** The `Set-Cookie` of a browser that was shown this log-in page, which it asked for to change its e-mail. */
  begin(html: string): string | undefined {
    const tab = /[?&;]tab_id=([\w-]+)/.exec(html)?.[1];
    if (tab === undefined) return undefined;
    const until = this.#now() + livesSeconds * 1000;
    return `${this.#name}=${until}.${this.#mac(tab, until)}; ${this.#attributes}`;
  }

  /** Whether the log-in with this id was begun to change the e-mail. */
  includes(tab: string | null, cookies: string | undefined): boolean {
    const wanted = `${this.#name}=`;
    const found = (cookies ?? '').split(';').find((cookie) => cookie.trim().startsWith(wanted));
    const [until = '', mac = ''] = found?.trim().slice(wanted.length).split('.') ?? [];
    const expected = Buffer.from(this.#mac(tab ?? '', Number(until)));
    const given = Buffer.from(mac);
    if (tab === null || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    return Number(until) > this.#now();
  }

  #mac(tab: string, until: number): string {
    return createHmac('sha256', this.#secret).update(`email change ${tab} ${until}`).digest('base64url');
  }
}

/** Where a change of the e-mail begins with a log-in. The site knows no such log-in, so its end leads to the usual one. */
export function emailChangePath(realm: string, site: string): string {
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: `${site}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    state: randomBytes(16).toString('base64url'),
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
    kc_action: 'UPDATE_EMAIL',
  });
  return `/realms/${realm}/protocol/openid-connect/auth?${query.toString()}`;
}
