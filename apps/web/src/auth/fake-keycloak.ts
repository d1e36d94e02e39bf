export const uid = '0190a8a0-0000-7000-8000-000000000001';

interface Sent {
  path: string;
  form: URLSearchParams;
}

/**
 * Answers the real adapter at Keycloak's endpoints, under the realm's rules: a code and a refresh token work
 * once. A hidden frame gets the answer that Keycloak's redirect would give.
 */
export class FakeKeycloak {
  /** The user of Keycloak's session, which the page may not know. */
  session: string | undefined = uid;
  away = false;
  /** Answers of the token endpoint that are lost after Keycloak has acted. */
  answersLost = 0;
  hangs = false;
  lifespanSeconds = 300;
  loginAgeSeconds = 0;
  recordIsNew = false;
  logoutFails = false;
  readonly sent: Sent[] = [];
  private frames: MutationObserver | undefined;
  private count = 0;
  private readonly codes = new Set<string>();
  private refreshToken = '';

  async install(loadConfig: () => Promise<unknown>): Promise<void> {
    Object.assign(globalThis, { fetch: (url: string, init: RequestInit = {}) => this.answer(url, init) });
    const script = document.createElement('script');
    script.id = 'stoa-config';
    script.type = 'application/json';
    script.textContent = JSON.stringify({
      keycloak: { url: 'http://localhost:8180', realm: 'stoa', clientId: 'web' },
      mediaUrl: 'http://localhost:9000',
    });
    document.head.append(script);
    await loadConfig();
    this.frames = new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLIFrameElement) this.answerFrame(node);
    });
    this.frames.observe(document.body, { childList: true });
  }

  uninstall(): void {
    this.frames?.disconnect();
  }

  /** The query of Keycloak's redirect to the callback, for the log-in at `address`. */
  redirectOf(address: string): string {
    return `#${this.redirect(new URL(address).searchParams)}`;
  }

  sentTo(path: string): URLSearchParams[] {
    return this.sent.filter((one) => one.path.endsWith(path)).map(({ form }) => form);
  }

  /** Makes the page's refresh token invalid, as after an answer that never arrived. */
  forgetRefreshToken(): void {
    this.refreshToken = '';
  }

  private redirect(asked: URLSearchParams): URLSearchParams {
    const state = asked.get('state') ?? '';
    if (!this.session) return new URLSearchParams({ state, error: 'login_required' });
    const code = `code-${(this.count += 1)}`;
    this.codes.add(`${code} ${asked.get('nonce')}`);
    return new URLSearchParams({ state, code });
  }

  private answerFrame(frame: HTMLIFrameElement): void {
    if (this.away || this.hangs) return;
    const asked = new URL(frame.src).searchParams;
    const data = `${asked.get('redirect_uri')}#${this.redirect(asked)}`;
    dispatchEvent(
      new MessageEvent('message', { data, origin: location.origin, source: frame.contentWindow }),
    );
  }

  private async answer(url: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(url, location.origin);
    const form = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : String(init.body));
    this.sent.push({ path: pathname, form });
    if (pathname.startsWith('/api/')) return this.answerApi(pathname);
    if (this.away) throw new TypeError('Failed to fetch');
    if (this.hangs) return this.untilAborted(init.signal);
    if (pathname.endsWith('/token')) return this.answerToken(form);
    return pathname.endsWith('/logout') ? this.answerLogout() : Response.json({});
  }

  private answerLogout(): Response {
    if (this.logoutFails) return new Response(null, { status: 500 });
    this.session = undefined;
    return new Response(null, { status: 204 });
  }

  private answerApi(pathname: string): Response {
    if (pathname !== '/api/session') return new Response(null, { status: 204 });
    return Response.json({ uid, email: 'ada@example.test' }, { status: this.recordIsNew ? 201 : 200 });
  }

  private answerToken(form: URLSearchParams): Response {
    const granted = form.get('grant_type') === 'refresh_token' ? this.refreshes(form) : this.redeems(form);
    if (!granted || !this.session) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const iat = Math.floor(Date.now() / 1000);
    const auth_time = iat - this.loginAgeSeconds;
    const claims = {
      iat,
      exp: iat + this.lifespanSeconds,
      auth_time,
      sub: this.session,
      email: 'Ada@stoa.test',
      sid: 's',
      nonce: granted,
    };
    this.refreshToken = jwt({ ...claims, jti: `${(this.count += 1)}` });
    const tokens = { access_token: jwt(claims), refresh_token: this.refreshToken, id_token: jwt(claims) };
    if (this.answersLost > 0) {
      this.answersLost -= 1;
      throw new TypeError('Failed to fetch');
    }
    return Response.json(tokens);
  }

  private refreshes(form: URLSearchParams): string | undefined {
    return form.get('refresh_token') === this.refreshToken ? 'refreshed' : undefined;
  }

  private redeems(form: URLSearchParams): string | undefined {
    const held = [...this.codes].find((code) => code.startsWith(`${form.get('code')} `));
    if (held) this.codes.delete(held);
    return held?.split(' ')[1];
  }

  private untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
}

function jwt(claims: object): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
  return `${part({ alg: 'none' })}.${part(claims)}.signature`;
}
