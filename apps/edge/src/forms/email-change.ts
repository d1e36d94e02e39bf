import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { formAddress } from './form-rules.ts';
import { tagsOf } from './page-tags.ts';

/** Keycloak's own limit for an unfinished log-in: `accessCodeLifespanLogin` of the realm. */
const livesSeconds = 1800;

/**
 * Signed cookies that make each change of the email start with a log-in. Keycloak requires the password when a change is
 * requested, but not when it shows a pending change again. So only a log-in that was started for the change may post an
 * address. The cookie holds Keycloak's id of that log-in.
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

  /** The `Set-Cookie` for this log-in page, which the browser requested to change the email; undefined without a form. */
  issue(html: string): string | undefined {
    const [tab] = tagsOf(html).flatMap(({ name, attributes }) =>
      name === 'form' ? (formAddress(attributes.get('action') ?? '').query.get('tab_id') ?? []) : [],
    );
    if (tab === undefined) return undefined;
    const until = this.#now() + livesSeconds * 1000;
    return `${this.#name}=${until}.${this.#mac(tab, until)}; ${this.#attributes}`;
  }

  /** Whether the log-in with this id was started to change the email. */
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
 * The address at which a change of the email starts with a log-in. Its state and PKCE challenge are random, so the site
 * cannot complete this log-in and starts a usual one instead.
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
