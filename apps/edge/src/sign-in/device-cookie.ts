import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A browser is known for half a year after it last received tokens. */
const livesMs = 182 * 24 * 60 * 60 * 1000;
const macBytes = 16;

/**
 * Device cookies (OWASP): they mark a browser in which a user has logged in to an account. Attempts from unknown browsers are
 * counted apart from those of the account's own browsers. The cookie holds a keyed digest of the account's name with a random
 * part, so two browsers of one account differ.
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

  /** The `Set-Cookie` for a browser that has just received tokens of `account`. */
  issue(account: string): string {
    const nonce = randomBytes(12).toString('base64url');
    const until = this.#now() + livesMs;
    const value = `${nonce}.${until}.${this.#mac(account, nonce, until)}`;
    const secure = this.#secure ? '; Secure' : '';
    return `${this.#name(account)}=${value}; Path=/; Max-Age=${livesMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** The id of this browser among those that know `account`; undefined without a valid cookie for it. */
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

  /** A browser has one cookie for each account. */
  #name(account: string): string {
    const digest = this.#digest(`name ${account}`).subarray(0, 6).toString('base64url');
    // Browsers accept this prefix only from this host and over TLS.
    return `${this.#secure ? '__Host-' : ''}stoa-device-${digest}`;
  }

  #mac(account: string, nonce: string, until: number): string {
    return this.#digest(`device ${nonce} ${until} ${account}`).subarray(0, macBytes).toString('base64url');
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
