import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { formAddress } from './form-rules.ts';
import { tagsOf } from './page-tags.ts';

/** The same as Keycloak's limit for an unfinished log-in (`accessCodeLifespanLogin` of the realm). */
const livesSeconds = 1800;

/**
 * Makes each change of the email address start with a log-in. Keycloak itself lets a user continue a pending change without
 * the password. So the proxy sets a signed cookie when a log-in starts for the change, and refuses a new address without it.
 */
export class EmailChangeCookies {
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

  /** The `Set-Cookie` header for a log-in page that starts a change of the address; undefined for a page without a form. */
  issue(html: string): string | undefined {
    const [tab] = tagsOf(html).flatMap(({ name, attributes }) =>
      name === 'form' ? (formAddress(attributes.get('action') ?? '').query.get('tab_id') ?? []) : [],
    );
    if (tab === undefined) return undefined;
    const until = this.#now() + livesSeconds * 1000;
    return `${this.#name}=${until}.${this.#mac(tab, until)}; ${this.#attributes}`;
  }

  /** Whether the cookies prove that this log-in was started to change the address. `tab` is Keycloak's id of the log-in. */
  isValid(tab: string | null, cookies: string | undefined): boolean {
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

/**
 * The address at which a log-in for a change of the address starts. Its state is random, so the site cannot match the result
 * and starts its usual log-in afterwards.
 */
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
