import { createHash, randomBytes } from 'node:crypto';
import { type Answer, Browser } from './browser.ts';
import { errorsOf, findForm, type Form } from './login-page.ts';

export interface FlowSettings {
  /** For instance https://auth.example.org/realms/stoa */
  issuer: string;
  clientId: string;
  redirectUri: string;
  /** Address of Keycloak itself, for where nobody keeps its public door: parts alone, without the apps. */
  reachedAt?: string;
  /** Sent with every request, such as the address for which a trusted proxy speaks. */
  headers?: Readonly<Record<string, string>>;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  idToken: string;
  expiresIn: number;
}

/** A sign-in leaves a session at Keycloak as well, which whoever brings these cookies goes on with. */
export interface SignedIn extends Tokens {
  cookies: Record<string, string>;
}

export interface NewAccount {
  displayName: string;
  username: string;
  email: string;
  password: string;
}

const LOGIN_FORM = 'kc-form-login';
const REGISTRATION_FORM = 'kc-register-form';

/** Signs in as a person does, through the login page: the realm allows no direct grant to anybody. */
export function signIn(settings: FlowSettings & { username: string; password: string }): Promise<SignedIn> {
  const { username, password } = settings;
  return run(settings, 'auth', LOGIN_FORM, { username, password });
}

/** Creates an account through the registration page, terms accepted, and signs it in. */
export function signUp(settings: FlowSettings & NewAccount): Promise<SignedIn> {
  const { displayName, username, email, password } = settings;
  return run(settings, 'registrations', REGISTRATION_FORM, {
    displayName,
    username,
    email,
    password,
    'password-confirm': password,
    termsAccepted: 'on',
  });
}

/** Something that one changes of one's own account on Keycloak's pages, and what is typed there. */
export interface AccountChange {
  action: 'UPDATE_PASSWORD' | 'UPDATE_EMAIL';
  answers: Record<string, string>;
}

const changeForms = { UPDATE_PASSWORD: 'kc-passwd-update-form', UPDATE_EMAIL: 'kc-update-email-form' };

/** Logs in and changes something, in a browser of its own; answers what is seen then. */
export async function changeAccount(
  settings: FlowSettings & { username: string; password: string },
  { action, answers }: AccountChange,
): Promise<Answer> {
  const { username, password } = settings;
  const { browser, start } = begin(settings, 'auth', { kc_action: action });
  const login = pageOf(await browser.get(start));
  const page = pageOf(await submit(browser, requireForm(login, LOGIN_FORM), { username, password }));
  return submit(browser, requireForm(page, changeForms[action]), answers);
}

const submit = (browser: Browser, form: Form, answers: Record<string, string>) =>
  browser.post(form.action, { ...form.hidden, ...answers });

function pageOf(answer: Answer): string {
  if (answer.kind === 'callback') throw new Error(`Keycloak answered ${answer.url} instead of a page.`);
  return answer.html;
}

function begin(
  settings: FlowSettings,
  endpoint: 'auth' | 'registrations',
  more: Record<string, string> = {},
) {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const start = new URL(`${settings.issuer}/protocol/openid-connect/${endpoint}`);
  start.search = new URLSearchParams({
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }).toString();
  const browser = new Browser(settings.redirectUri, settings.headers, (url) => reach(settings, url));
  return { browser, start: start.href, state, verifier };
}

async function run(
  settings: FlowSettings,
  endpoint: 'auth' | 'registrations',
  formId: string,
  answers: Record<string, string>,
): Promise<SignedIn> {
  const { browser, start, state, verifier } = begin(settings, endpoint);
  const page = pageOf(await browser.get(start));
  const answer = await submit(browser, requireForm(page, formId), answers);
  if (answer.kind === 'page') {
    throw new Error(`Keycloak did not accept the form: ${errorsOf(answer.html).join(' ')}`);
  }

  const callback = new URL(answer.url).searchParams;
  const code = callback.get('code');
  if (!code || callback.get('state') !== state) {
    throw new Error(`Keycloak sent no code: ${callback.get('error') ?? answer.url}`);
  }
  return { ...(await exchange(settings, code, verifier)), cookies: browser.cookies };
}

// The pages name the public address, whichever way they were asked for.
function reach({ issuer, reachedAt }: FlowSettings, url: string): string {
  const { origin } = new URL(issuer);
  return reachedAt && url.startsWith(`${origin}/`) ? reachedAt + url.slice(origin.length) : url;
}

function requireForm(html: string, id: string): Form {
  const form = findForm(html, id);
  if (form) return form;
  throw new Error(`The page of Keycloak has no form ${id}: ${errorsOf(html).join(' ')}`);
}

async function exchange(settings: FlowSettings, code: string, verifier: string): Promise<Tokens> {
  const response = await fetch(reach(settings, `${settings.issuer}/protocol/openid-connect/token`), {
    method: 'POST',
    headers: settings.headers,
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: settings.clientId,
      redirect_uri: settings.redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  if (!response.ok) {
    throw new Error(`Keycloak refused the code: ${response.status} ${await response.text()}`);
  }
  const body = (await response.json()) as Record<'access_token' | 'refresh_token' | 'id_token', string> & {
    expires_in: number;
  };
  return {
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    idToken: body.id_token,
    expiresIn: body.expires_in,
  };
}
