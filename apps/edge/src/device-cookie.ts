import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Half a year after it last got tokens a browser is a strange one again. */
const livesMs = 182 * 24 * 60 * 60 * 1000;
const macBytes = 16;

/**
 * Remembers in a browser that somebody logged in to an account there, so that tries of strangers can be counted apart from
 * those of the account's own browsers ("device cookies" of OWASP). The cookie names no account: it is a keyed digest
 * of the name with a random part, so that two browsers of one account differ.
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

  /** The `Set-Cookie` of a browser that has just got tokens of `account`. */
  issue(account: string): string {
    const nonce = randomBytes(12).toString('base64url');
    const until = this.#now() + livesMs;
    const value = `${nonce}.${until}.${this.#mac(account, nonce, until)}`;
    const secure = this.#secure ? '; Secure' : '';
    return `${this.#name(account)}=${value}; Path=/; Max-Age=${livesMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** What tells this browser from others that know `account`; undefined for one that does not. */
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

  /** One cookie for each account of a browser. */
  #name(account: string): string {
    const digest = this.#digest(`name ${account}`).subarray(0, 6).toString('base64url');
    // Such a name takes no cookie of a sister host, nor one that went over plain HTTP.
    return `${this.#secure ? '__Host-' : ''}stoa-device-${digest}`;
  }

  #mac(account: string, nonce: string, until: number): string {
    return this.#digest(`device ${nonce} ${until} ${account}`).subarray(0, macBytes).toString('base64url');
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
