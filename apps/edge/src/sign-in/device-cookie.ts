import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A browser stays known for half a year after it last received tokens. */
const livesMs = 182 * 24 * 60 * 60 * 1000;
const macBytes = 16;

/**
 * Device cookies (OWASP) mark a browser in which a user has logged in to an account. Attempts of unknown browsers are then
 * counted apart, so that they cannot lock out the owner. Each cookie has a random part, so two browsers of an account differ.
 */
export class DeviceCookies {
  readonly #secret: string;
  readonly #secure: boolean;
  readonly #now: () => number;

  constructor(secret: string, publicUrl: URL, now: () => number = Date.now) {
    this.#secret = secret;
    this.#secure = publicUrl.protocol === 'https:';
    this.#now = now;
  }

  /** The `Set-Cookie` header for a browser that has just received tokens of this account. */
  issue(account: string): string {
    const nonce = randomBytes(12).toString('base64url');
    const until = this.#now() + livesMs;
    const value = `${nonce}.${until}.${this.#mac(account, nonce, until)}`;
    const secure = this.#secure ? '; Secure' : '';
    return `${this.#name(account)}=${value}; Path=/; Max-Age=${livesMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** The id of this browser if it has a valid cookie for the account; otherwise undefined. */
  deviceOf(account: string, cookieHeader: string | undefined): string | undefined {
    const wanted = `${this.#name(account)}=`;
    const value = cookieHeader
      ?.split(';')
      .map((cookie) => cookie.trim())
      .find((cookie) => cookie.startsWith(wanted))
      ?.slice(wanted.length);
    const [nonce = '', until = '', mac = ''] = value?.split('.') ?? [];
    const expected = Buffer.from(this.#mac(account, nonce, Number(until)));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return Number(until) > this.#now() ? nonce : undefined;
  }

  /** The name contains a digest of the account, so that a browser can have one cookie for each account. */
  #name(account: string): string {
    const digest = this.#digest(`name ${account}`).subarray(0, 6).toString('base64url');
    // Browsers accept a cookie with this prefix only from this host and over TLS.
    return `${this.#secure ? '__Host-' : ''}stoa-device-${digest}`;
  }

  #mac(account: string, nonce: string, until: number): string {
    return this.#digest(`device ${nonce} ${until} ${account}`).subarray(0, macBytes).toString('base64url');
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
