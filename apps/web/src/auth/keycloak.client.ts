import Keycloak, { type KeycloakLoginOptions } from 'keycloak-js';
import { siteConfig } from '../api/config.ts';
import { paths } from '../navigation/paths.ts';

/** The longest wait for Keycloak's hidden frame, a token or a request. */
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

/**
 * Creates an adapter. Each attempt needs a new one, since the adapter is unusable after a failed start. It
 * consumes Keycloak's answer in the address.
 */
async function initialized(onLoad?: 'check-sso'): Promise<Keycloak> {
  // With explicit endpoints the adapter skips its third-party cookie probe. Keycloak shares our site, so the
  // probe is not needed.
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

export const startKeycloak = (): Promise<Keycloak> => withTimeout(initialized(), returnTimeoutMs);

/** Asks Keycloak in a hidden frame for the signed-in user. Rejects if Keycloak cannot be reached. */
export async function checkSsoSilently(): Promise<Keycloak> {
  try {
    // The frame of an unreachable Keycloak reports nothing. The probe fails immediately.
    return await withTimeout(Promise.race([initialized('check-sso'), rejectIfUnreachable()]), timeoutMs);
  } catch (error) {
    for (const frame of document.querySelectorAll('iframe[title=keycloak-silent-check-sso]')) frame.remove();
    throw error;
  }
}

/** Resolves when the tokens are valid for another `minValidity` seconds; -1 always fetches new ones. */
export async function refreshTokens(instance: Keycloak, minValidity: number): Promise<void> {
  await withTimeout(instance.updateToken(minValidity), timeoutMs);
}

export async function assertReachable(signal?: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${realmUrl()}/.well-known/openid-configuration`, {
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  if (!response.ok) throw new Error(`Keycloak answers ${response.status}`);
}

/** Ends the session at Keycloak without showing its pages. */
export async function endSessionAtKeycloak({ refreshToken = '' }: Keycloak): Promise<void> {
  const response = await fetch(endpoint('logout'), {
    method: 'POST',
    body: new URLSearchParams({ client_id: siteConfig().keycloak.clientId, refresh_token: refreshToken }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`Keycloak answers ${response.status}`);
}

/** Reasons for a log-in, which its page explains. The edge proxy and the Keycloak theme know these values. */
export type LoginPurpose =
  'delete-account' | 'export-account' | 'payment-link' | 'decision' | 'email-changed';

export async function loginAddress(
  instance: Keycloak,
  options: KeycloakLoginOptions = {},
  purpose?: LoginPurpose,
): Promise<string> {
  const address = withTheme(await instance.createLoginUrl(options));
  return purpose ? `${address}&stoa_for=${purpose}` : address;
}

/**
 * Adds the theme chosen here to the address of Keycloak's pages. The theme cookie does not reach them if the
 * hosts share no domain. Their `theme.js` removes the parameter.
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

/** Whether Keycloak itself refused. An unreachable Keycloak or a 429 is no refusal. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('response' in error)) return false;
  return error.response instanceof Response && [400, 401].includes(error.response.status);
}

async function rejectIfUnreachable(): Promise<never> {
  await assertReachable();
  return new Promise<never>(() => {});
}

function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new KeycloakTimeout('Keycloak did not answer in time')),
      milliseconds,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
