import Keycloak, { type KeycloakLoginOptions } from 'keycloak-js';
import { siteConfig } from '../api/config.ts';
import { paths } from '../paths.ts';

/** Nobody waits longer for Keycloak: a hidden frame or a token that has not come by now will not. */
const timeoutMs = 5_000;
/** A return from Keycloak gets a longer timeout: its code works once. */
const returnTimeoutMs = 15_000;

export class KeycloakTimeout extends Error {
  override name = 'KeycloakTimeout';
}

function realmUrl(): string {
  const { url, realm } = siteConfig().keycloak;
  return `${url.replace(/\/$/, '')}/realms/${realm}`;
}

const endpoint = (name: string) => `${realmUrl()}/protocol/openid-connect/${name}`;

/** A new adapter each time: one whose start failed can never be used again. It takes an answer in the address. */
async function initialized(onLoad?: 'check-sso'): Promise<Keycloak> {
  // Told its endpoints, the adapter skips its third-party cookie probe: Keycloak shares our site.
  const instance = new Keycloak({
    clientId: siteConfig().keycloak.clientId,
    oidcProvider: {
      authorization_endpoint: endpoint('auth'),
      token_endpoint: endpoint('token'),
      end_session_endpoint: endpoint('logout'),
    },
  });
  await instance.init({
    onLoad,
    pkceMethod: 'S256',
    checkLoginIframe: false,
    redirectUri: location.origin + paths.authCallback,
    silentCheckSsoRedirectUri: location.origin + paths.authSilent,
    silentCheckSsoFallback: false,
  });
  return instance;
}

export const startKeycloak = (): Promise<Keycloak> => inTime(initialized(), returnTimeoutMs);

/** Asks Keycloak, unseen, who is signed in. Rejects when it cannot be asked. */
export async function checkSsoSilently(): Promise<Keycloak> {
  try {
    // The frame of a Keycloak that is away tells nothing: the probe says so at once.
    return await inTime(Promise.race([initialized('check-sso'), rejectIfUnreachable()]), timeoutMs);
  } catch (error) {
    for (const frame of document.querySelectorAll('iframe[title=keycloak-silent-check-sso]')) frame.remove();
    throw error;
  }
}

/** Resolves when the tokens are good for `minValidity` seconds more; -1 asks for new ones in any case. */
export async function refreshTokens(instance: Keycloak, minValidity: number): Promise<void> {
  await inTime(instance.updateToken(minValidity), timeoutMs);
}

export async function assertReachable(signal?: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${realmUrl()}/.well-known/openid-configuration`, {
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  if (!response.ok) throw new Error(`Keycloak answers ${response.status}`);
}

/** Ends the session at Keycloak without a look at its pages. */
export async function endSessionAtKeycloak({ refreshToken = '' }: Keycloak): Promise<void> {
  const response = await fetch(endpoint('logout'), {
    method: 'POST',
    body: new URLSearchParams({ client_id: siteConfig().keycloak.clientId, refresh_token: refreshToken }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`Keycloak answers ${response.status}`);
}

/** What the page of a log-in explains itself with; the proxy in front of Keycloak and its theme know these words. */
export type LoginPurpose =
  'delete-account' | 'export-account' | 'payment-link' | 'decision' | 'email-changed';

/** The address of Keycloak's log-in. */
export async function loginAddress(
  instance: Keycloak,
  options: KeycloakLoginOptions = {},
  purpose?: LoginPurpose,
): Promise<string> {
  const address = withTheme(await instance.createLoginUrl(options));
  return purpose ? `${address}&stoa_for=${purpose}` : address;
}

/**
 * Tells Keycloak's pages which theme was chosen here: the cookie does not reach them where the two hosts have no domain in
 * common. `theme.js` of theirs takes it out of the address.
 */
function withTheme(address: string): string {
  const { theme } = document.documentElement.dataset;
  return theme ? `${address}&stoa_theme=${theme}` : address;
}

export function resetAddress(): string {
  const { clientId: client_id } = siteConfig().keycloak;
  const query = new URLSearchParams({ client_id, redirect_uri: location.origin + paths.authCallback });
  return withTheme(`${realmUrl()}/login-actions/reset-credentials?${query}`);
}

/** Whether Keycloak itself said no, rather than nothing; being told to come back later is no answer either. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('response' in error)) return false;
  return error.response instanceof Response && [400, 401].includes(error.response.status);
}

async function rejectIfUnreachable(): Promise<never> {
  await assertReachable();
  return new Promise<never>(() => {});
}

function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new KeycloakTimeout('Keycloak did not answer in time')),
      milliseconds,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
