export type Answer = { kind: 'page'; html: string; status: number } | { kind: 'callback'; url: string };

const MAX_REDIRECTS = 10;

/**
 * Cookies and redirects: as much of a browser as one sign-in needs. It stops at the application's own
 * address.
 */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #callback: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #reach: (url: string) => string;

  constructor(
    callback: string,
    headers: Readonly<Record<string, string>> = {},
    reach: (url: string) => string = (url) => url,
  ) {
    this.#callback = callback;
    this.#headers = headers;
    this.#reach = reach;
  }

  /** Withholds some cookies until they are restored, as an attacker would to bypass a rule. */
  hide(names: readonly string[]): { restore: () => void } {
    const hidden = [...this.#cookies].filter(([name]) => names.includes(name));
    for (const [name] of hidden) this.#cookies.delete(name);
    return { restore: () => hidden.forEach(([name, value]) => this.#cookies.set(name, value)) };
  }

  /** The cookies that Keycloak has set so far; they carry its session. */
  get cookies(): Record<string, string> {
    return Object.fromEntries(this.#cookies);
  }

  get(url: string): Promise<Answer> {
    return this.#follow(url, { method: 'GET' });
  }

  post(url: string, fields: Record<string, string>): Promise<Answer> {
    return this.#follow(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  async #follow(start: string, init: RequestInit): Promise<Answer> {
    let url = start;
    let request = init;
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const response = await fetch(this.#reach(url), {
        ...request,
        redirect: 'manual',
        headers: { ...this.#headers, cookie: this.#cookieHeader() },
      });
      this.#keepCookies(response);
      const location = response.headers.get('location');
      if (!location) return { kind: 'page', html: await response.text(), status: response.status };
      await response.body?.cancel();
      url = new URL(location, url).href;
      if (this.#isCallback(url)) return { kind: 'callback', url };
      request = { method: 'GET' };
    }
    throw new Error(`Keycloak redirected more than ${MAX_REDIRECTS} times, last to ${url}`);
  }

  #isCallback(url: string): boolean {
    const { origin, pathname } = new URL(url);
    return origin + pathname === this.#callback;
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  // Ignores domain, path and Secure, because a sign-in is one short visit to one host.
  #keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';', 1)[0] ?? '';
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim();
      const expired = /;\s*max-age=0\b/i.test(line);
      if (expired) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(at + 1));
    }
  }
}
