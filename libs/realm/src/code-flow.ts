import * as oidc from 'openid-client';
import { type Answer, Browser } from './browser.ts';
import { errorsOf, findForm, type Form } from './login-page.ts';

export interface FlowSettings {
  /** The issuer's URL, for instance https://auth.example.org/realms/stoa */
  issuer: string;
  clientId: string;
  redirectUri: string;
  /** Address of Keycloak itself, for systems without edge (parts without apps). */
  reachedAt?: string;
  /** Headers of every request, such as the client address that a trusted proxy forwards. */
  headers?: Readonly<Record<string, string>>;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  idToken: string;
  expiresIn: number;
}

/** The tokens of a sign-in, and the cookies that resume its Keycloak session. */
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

/** Signs in through the login page as a person does: the realm allows no client a direct grant. */
export function signIn(settings: FlowSettings & { username: string; password: string }): Promise<SignedIn> {
  const { username, password } = settings;
  return run(settings, 'auth', LOGIN_FORM, { username, password });
}

/** Creates an account through the registration page, accepts the terms, and signs in. */
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

/** A change of one's own account on Keycloak's pages, and the values typed there. */
export interface AccountChange {
  action: 'UPDATE_PASSWORD' | 'UPDATE_EMAIL';
  answers: Record<string, string>;
}

const changeForms = { UPDATE_PASSWORD: 'kc-passwd-update-form', UPDATE_EMAIL: 'kc-update-email-form' };

/** Logs in with a new browser and makes a change. Returns the page or callback that follows. */
export async function changeAccount(
  settings: FlowSettings & { username: string; password: string },
  { action, answers }: AccountChange,
): Promise<Answer> {
  const { username, password } = settings;
  const { browser, start } = await begin(settings, 'auth', { kc_action: action });
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

async function begin(
  settings: FlowSettings,
  endpoint: 'auth' | 'registrations',
  more: Record<string, string> = {},
) {
  const client = clientOf(settings, endpoint);
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const start = oidc.buildAuthorizationUrl(client, {
    redirect_uri: settings.redirectUri,
    scope: 'openid',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const browser = new Browser(settings.redirectUri, settings.headers, (url) => reach(settings, url));
  return { browser, start: start.href, client, state, verifier };
}

/** The public client, opened at one of the two entry endpoints. */
function clientOf(settings: FlowSettings, endpoint: 'auth' | 'registrations'): oidc.Configuration {
  const { issuer, clientId, headers } = settings;
  const at = (name: string) => `${issuer}/protocol/openid-connect/${name}`;
  const client = new oidc.Configuration(
    {
      issuer,
      authorization_endpoint: at(endpoint),
      token_endpoint: at('token'),
      id_token_signing_alg_values_supported: ['ES256'],
    },
    clientId,
    undefined,
    oidc.None(),
  );
  // Parts on this machine use HTTP. An https issuer is still called over TLS.
  oidc.allowInsecureRequests(client);
  client[oidc.customFetch] = (url, request) =>
    fetch(reach(settings, url), { ...request, headers: { ...request.headers, ...headers } } as RequestInit);
  return client;
}

async function run(
  settings: FlowSettings,
  endpoint: 'auth' | 'registrations',
  formId: string,
  answers: Record<string, string>,
): Promise<SignedIn> {
  const { browser, start, client, state, verifier } = await begin(settings, endpoint);
  const page = pageOf(await browser.get(start));
  const answer = await submit(browser, requireForm(page, formId), answers);
  if (answer.kind === 'page') {
    throw new Error(`Keycloak did not accept the form: ${errorsOf(answer.html).join(' ')}`);
  }

  const tokens = await oidc.authorizationCodeGrant(client, new URL(answer.url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    idTokenExpected: true,
  });
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
    idToken: tokens.id_token ?? '',
    expiresIn: tokens.expires_in ?? 0,
    cookies: browser.cookies,
  };
}

// Pages always contain the public address, so their URLs are mapped to the address that is reachable here.
function reach({ issuer, reachedAt }: FlowSettings, url: string): string {
  const { origin } = new URL(issuer);
  return reachedAt && url.startsWith(`${origin}/`) ? reachedAt + url.slice(origin.length) : url;
}

function requireForm(html: string, id: string): Form {
  const form = findForm(html, id);
  if (form) return form;
  throw new Error(`The page of Keycloak has no form ${id}: ${errorsOf(html).join(' ')}`);
}
