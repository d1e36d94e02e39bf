import { type AdminApi, changeAccount, connect, signIn, type SignedIn, signUp } from '@stoa/realm';
import { randomBytes } from 'node:crypto';
import { testParts } from './parts.ts';

/** The identity service's settings for the Keycloak and the mail server of the test run. */
export function realmSettings(): Record<string, string> {
  const settings = Object.entries(testParts().environments.identity);
  return Object.fromEntries(settings.filter(([name]) => /^(KEYCLOAK|SMTP|MAIL)_/.test(name)));
}

/** A user with an account in the real Keycloak and one session. */
export interface RealmPerson {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly session: RealmSession;
}

/** A Keycloak session with its tokens. */
export interface RealmSession extends SignedIn {
  readonly sid: string;
}

/** The realm of the test run's Keycloak, for actions of users and of an administrator. */
export class RealmUnderTest {
  readonly #admin: AdminApi;
  readonly #parts;

  private constructor(admin: AdminApi, parts: ReturnType<typeof testParts>) {
    this.#admin = admin;
    this.#parts = parts;
  }

  /** @param url The URL of another Keycloak node on the same database. */
  static async open(url: string = testParts().keycloak.url): Promise<RealmUnderTest> {
    const parts = testParts();
    const keycloak = { ...parts.keycloak, url };
    return new RealmUnderTest(await connect(keycloak), { ...parts, keycloak });
  }

  async signUp(more: { readonly email?: string } = {}): Promise<RealmPerson> {
    const username = `person-${randomBytes(5).toString('hex')}`;
    const account = {
      displayName: username,
      username,
      email: `${username}@example.test`,
      password: randomBytes(12).toString('base64url'),
      ...more,
    };
    const { uid, ...session } = opened(await signUp({ ...this.#flow, ...account }));
    return { ...account, uid, session };
  }

  async signIn({ username, password }: RealmPerson): Promise<RealmSession> {
    const { uid: _, ...session } = opened(await signIn({ ...this.#flow, username, password }));
    return session;
  }

  /** Logs out like the site. */
  async logOut({ refreshToken }: RealmSession): Promise<void> {
    const body = new URLSearchParams({ client_id: 'web', refresh_token: refreshToken });
    const url = `${this.#address}/protocol/openid-connect/logout`;
    const { status } = await fetch(url, { method: 'POST', body });
    if (status !== 204) throw new Error(`Keycloak answered the log-out with ${status}`);
  }

  /** Refreshes the tokens of a session. @throws Error with Keycloak's status if the session has ended. */
  async refresh({ refreshToken }: RealmSession): Promise<void> {
    const grant = { grant_type: 'refresh_token', client_id: 'web', refresh_token: refreshToken };
    const url = `${this.#address}/protocol/openid-connect/token`;
    const { ok, status } = await fetch(url, { method: 'POST', body: new URLSearchParams(grant) });
    if (!ok) throw new Error(`Keycloak answered the refresh with ${status}`);
  }

  /** Changes the password through Keycloak's page, like its owner. */
  async changePassword({ username, password }: RealmPerson, wanted: string): Promise<void> {
    const answers = { 'password-new': wanted, 'password-confirm': wanted };
    const { kind } = await changeAccount(
      { ...this.#flow, username, password },
      { action: 'UPDATE_PASSWORD', answers },
    );
    if (kind === 'page') throw new Error('Keycloak did not take the new password.');
  }

  /** Changes the email address through Keycloak's page and opens the mailed link, like its owner. */
  async changeEmail(person: RealmPerson, email: string): Promise<void> {
    await this.openLink(await this.requestEmailChange(person, email));
  }

  /** Requests a change of the email address. Returns the text of the mail with the link. */
  async requestEmailChange({ username, password }: RealmPerson, email: string): Promise<string> {
    const change = { action: 'UPDATE_EMAIL', answers: { email } } as const;
    await changeAccount({ ...this.#flow, username, password }, change);
    const [mail] = (await this.mailsTo(email)).filter(({ subject }) =>
      /Confirm your new email/.test(subject),
    );
    return mail?.text ?? '';
  }

  /** Opens the link in a mail from Keycloak, and the link on the resulting page if it has one. */
  async openLink(text: string): Promise<string> {
    const link = /https?:\/\/\S+login-actions\/action-token\S+/.exec(text)?.[0];
    if (!link) throw new Error(`There is no link in the mail: ${text}`);
    const cookies = new Map<string, string>();
    const page = await this.follow(link, cookies);
    const onward = /href="([^"]+action-token[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    return onward ? this.follow(onward, cookies) : page;
  }

  async find(uid: string): Promise<{ email?: string; emailVerified?: boolean }> {
    const user = await this.#admin.users.findOne(this.#user(uid));
    if (!user) throw new Error('Keycloak has no such account.');
    return user;
  }

  /** Makes Keycloak mail the link that confirms an address. */
  sendProof(uid: string): Promise<void> {
    return this.#admin.users.sendVerifyEmail({ ...this.#user(uid), clientId: 'web' });
  }

  /** The types of a user's credentials. */
  async credentialTypes(uid: string): Promise<(string | undefined)[]> {
    return (await this.#admin.users.getCredentials(this.#user(uid))).map(({ type }) => type);
  }

  /** Changes a user like an administrator. */
  change(uid: string, changes: object): Promise<void> {
    return this.#admin.users.update(this.#user(uid), changes);
  }

  async mailsTo(address: string): Promise<{ subject: string; text: string; html: string }[]> {
    const catcher = async <T>(path: string) =>
      (await (await fetch(`${this.#parts.mail.url}/api/v1/${path}`)).json()) as T;
    const { messages } = await catcher<{
      messages: { ID: string; Subject: string; To: { Address: string }[] }[];
    }>('messages?limit=500');
    const theirs = messages.filter(({ To }) => To.some(({ Address }) => Address === address));
    return Promise.all(
      theirs.map(async ({ ID, Subject }) => {
        const { Text, HTML } = await catcher<{ Text: string; HTML: string }>(`message/${ID}`);
        return { subject: Subject, text: Text, html: HTML };
      }),
    );
  }

  /** Follows the redirects of a mailed link with cookies and returns the last page. It bypasses the proxy of Keycloak. */
  async follow(link: string, cookies = new Map<string, string>()): Promise<string> {
    const { publicUrl, url } = this.#parts.keycloak;
    let next = link;
    for (let hops = 0; hops < 5; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const address = next.replace(publicUrl, url);
      const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (!location) return response.text();
      next = new URL(location, next).href;
    }
    throw new Error('The link leads in circles.');
  }

  setPassword(uid: string, value: string): Promise<void> {
    return this.#admin.users.resetPassword({ ...this.#user(uid), credential: { type: 'password', value } });
  }

  endSessionsOf(uid: string): Promise<void> {
    return this.#admin.users.logout(this.#user(uid));
  }

  endSession(sid: string): Promise<void> {
    return this.#admin.realms.removeSession({ realm: this.#realm, sessionId: sid });
  }

  endEverySession(): Promise<void> {
    return this.#admin.realms.logoutAll({ realm: this.#realm });
  }

  /** Lists what is enabled in the realm: required actions, steps of flows and scopes of clients. */
  async enabledFeatures() {
    const { authenticationManagement, clients, clientScopes } = this.#admin;
    const realm = this.#realm;
    // The library's types lack the realm, which its requests need.
    const inRealm = { realm } as never;
    const flows = await authenticationManagement.getFlows({ realm });
    const [actions, steps, scopes] = await Promise.all([
      authenticationManagement.getRequiredActions(inRealm),
      Promise.all(
        flows.map(async ({ alias: flow = '' }) =>
          (await authenticationManagement.getExecutions({ realm, flow })).map((step) => ({ ...step, flow })),
        ),
      ),
      Promise.all([
        clientScopes.listDefaultClientScopes(inRealm),
        clientScopes.listDefaultOptionalClientScopes(inRealm),
        ...(await clients.find({ realm }))
          .filter(({ bearerOnly }) => !bearerOnly)
          .flatMap(({ id = '' }) => [
            clients.listDefaultClientScopes({ realm, id }),
            clients.listOptionalClientScopes({ realm, id }),
          ]),
      ]),
    ]);
    return {
      actions: actions.map(({ alias = '', enabled = false, defaultAction = false, config = {} }) => ({
        ...{ alias, enabled, defaultAction, config: config as Record<string, string> },
      })),
      flows: flows.filter(({ topLevel }) => topLevel).map(({ alias = '' }) => alias),
      steps: steps.flat().map(({ flow, providerId, displayName, requirement, requirementChoices = [] }) => ({
        flow,
        step: providerId ?? displayName ?? '',
        isOn: requirement !== 'DISABLED',
        canBeOff: requirementChoices.includes('DISABLED'),
      })),
      scopes: [...new Set(scopes.flat().map(({ name = '' }) => name))],
    };
  }

  /** The number of wrong passwords since the last successful log-in. */
  async failedLogIns(uid: string): Promise<number> {
    const found = await this.#admin.attackDetection.findOne(this.#user(uid));
    return Number(found?.['numFailures']);
  }

  delete(uid: string): Promise<void> {
    return this.#admin.users.del(this.#user(uid));
  }

  #user(uid: string): { realm: string; id: string } {
    return { realm: this.#realm, id: uid };
  }

  get #realm(): string {
    return this.#parts.keycloak.realm;
  }

  get #address(): string {
    const { url, realm } = this.#parts.keycloak;
    return `${url}/realms/${realm}`;
  }

  get #flow() {
    const { keycloak, siteUrl } = this.#parts;
    return {
      issuer: `${keycloak.publicUrl}/realms/${keycloak.realm}`,
      clientId: 'web',
      redirectUri: `${siteUrl}/auth/callback`,
      reachedAt: keycloak.url,
    };
  }
}

function opened(signedIn: SignedIn): RealmSession & { uid: string } {
  const claims = signedIn.accessToken.split('.')[1] ?? '';
  const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    'sub' | 'sid',
    string
  >;
  return { ...signedIn, uid: sub, sid };
}
