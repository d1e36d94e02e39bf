import { type Answer, Browser, errorsOf, findForm } from '@stoa/realm';
import { createHash, randomBytes } from 'node:crypto';
import { testParts } from './parts.ts';

/** A user with a browser of their own at Keycloak's pages. It submits one form after the other. */
export class RealmVisitor {
  readonly browser: Browser;
  readonly #parts = testParts();
  readonly #verifier = randomBytes(32).toString('base64url');
  #answer: Answer = { kind: 'page', html: '', status: 0 };

  /** @param at The base URL of the pages: Keycloak itself, or a proxy under test. @param from The network address. */
  constructor(at: string = testParts().keycloak.url, from?: string) {
    const { publicUrl } = this.#parts.keycloak;
    const reach = (url: string) => (url.startsWith(publicUrl) ? at + url.slice(publicUrl.length) : url);
    const headers = { accept: 'text/html', ...(from && { 'x-forwarded-for': from }) };
    this.browser = new Browser(`${this.#parts.siteUrl}/auth/callback`, headers, reach);
  }

  /** The callback URL of the site after the log-in; undefined on a page of Keycloak. */
  get callback(): URL | undefined {
    return this.#answer.kind === 'callback' ? new URL(this.#answer.url) : undefined;
  }

  get html(): string {
    return this.#answer.kind === 'page' ? this.#answer.html : '';
  }

  get status(): number {
    return this.#answer.kind === 'page' ? this.#answer.status : 302;
  }

  get errors(): string[] {
    return errorsOf(this.html);
  }

  /** The ids of the forms on the page. */
  get forms(): string[] {
    return [...this.html.matchAll(/<form\b[^>]*\bid="([^"]+)"/g)].map(([, id = '']) => id);
  }

  /** Starts a log-in or a sign-up like the site, with additional parameters. */
  begin(more: Record<string, string> = {}, endpoint = 'auth'): Promise<this> {
    const query = new URLSearchParams({
      client_id: 'web',
      redirect_uri: `${this.#parts.siteUrl}/auth/callback`,
      response_type: 'code',
      scope: 'openid',
      state: 'any',
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    return this.open(`protocol/openid-connect/${endpoint}?${query.toString()}`);
  }

  /** Opens a path of the realm. */
  async open(path: string): Promise<this> {
    const { publicUrl, realm } = this.#parts.keycloak;
    return this.#see(await this.browser.get(`${publicUrl}/realms/${realm}/${path}`));
  }

  /** Submits the form with this id. `change` can replace the address of the form. */
  async submit(
    id: string,
    answers: Record<string, string>,
    change: (address: string) => string = (address) => address,
  ): Promise<this> {
    const form = findForm(this.html, id);
    if (!form) throw new Error(`There is no form ${id}: ${this.forms.join(', ')} ${this.errors.join(' ')}`);
    return this.#see(await this.browser.post(change(form.action), { ...form.hidden, ...answers }));
  }

  logIn(username: string, password: string): Promise<this> {
    return this.submit('kc-form-login', { username, password });
  }

  /** Exchanges the code of the callback for tokens, like the site. */
  async takeTokens(): Promise<void> {
    const { publicUrl, realm } = this.#parts.keycloak;
    const { searchParams, hash } = this.callback ?? new URL('none:');
    const code = searchParams.get('code') ?? new URLSearchParams(hash.slice(1)).get('code') ?? '';
    const answer = await this.browser.post(`${publicUrl}/realms/${realm}/protocol/openid-connect/token`, {
      grant_type: 'authorization_code',
      client_id: 'web',
      code,
      redirect_uri: `${this.#parts.siteUrl}/auth/callback`,
      code_verifier: this.#verifier,
    });
    if (answer.kind !== 'page' || answer.status !== 200) throw new Error('Keycloak gave no tokens.');
  }

  #see(answer: Answer): this {
    this.#answer = answer;
    return this;
  }
}
