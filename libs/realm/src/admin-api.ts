import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealmSettings } from './settings.ts';

export type AdminApi = KeycloakAdminClient;
/** Who asks the admin API: a client with a secret, or the user whom older installations began with. */
export type Credentials = Parameters<AdminApi['auth']>[0];

export const SET_UP_CLIENT = 'set-up';

const RETRY_MS = 500;
// On a busy machine Keycloak has taken more than 30 s to make a realm.
const REQUEST_TIMEOUT_MS = 60_000;

/** The admin API as the client of set-up, or as somebody else, as soon as Keycloak answers. */
export async function connect(
  settings: Pick<RealmSettings, 'url' | 'setUpSecret' | 'timeoutMs'>,
  log: (line: string) => void = () => {},
  credentials: Credentials = clientCredentials(SET_UP_CLIENT, settings.setUpSecret),
): Promise<AdminApi> {
  const baseUrl = settings.url.replace(/\/+$/, '');
  await waitUntilReachable(baseUrl, settings.timeoutMs ?? 120_000, log);

  const admin = new KeycloakAdminClient({ baseUrl, timeout: REQUEST_TIMEOUT_MS });
  // By itself it renews a token only where Keycloak gave a refresh token, which these grants bring none of.
  const getAccessToken = async () => {
    if (!admin.accessToken || admin.isTokenExpired()) await admin.auth(credentials);
    return admin.accessToken;
  };
  admin.registerTokenProvider({ getAccessToken });
  return explained(admin);
}

export const clientCredentials = (clientId: string, clientSecret: string): Credentials => ({
  grantType: 'client_credentials',
  clientId,
  clientSecret,
});

/** The same requests, whose errors say what was asked: the library says no more than "unknown_error". */
function explained<T extends object>(asked: T): T {
  return new Proxy(asked, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'function')
        return (...given: unknown[]) =>
          Promise.resolve(found.apply(target, given)).catch((error: unknown) => explain(String(name), error));
      return typeof found === 'object' && found ? explained(found) : found;
    },
  });
}

function explain(asked: string, error: unknown): never {
  if (!(error instanceof NetworkError))
    throw new Error(`Keycloak did not answer ${asked} (${reasonOf(error)}).`, { cause: error });
  const { url, status } = error.response;
  error.message = `Keycloak refused ${url} with ${status}: ${JSON.stringify(error.responseData)}`;
  throw error;
}

// fetch says only that it failed; why stands in the cause.
const reasonOf = (error: unknown) =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

async function waitUntilReachable(url: string, timeoutMs: number, log: (line: string) => void) {
  const deadline = Date.now() + timeoutMs;
  let reason = '';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/realms/master`, { signal: AbortSignal.timeout(5000) });
      if (response.ok) return;
      reason = `status ${response.status}`;
    } catch (error) {
      reason = reasonOf(error);
    }
    log(`waiting for Keycloak at ${url} (${reason})`);
    await sleep(RETRY_MS);
  }
  throw new Error(
    `Keycloak did not answer at ${url} within ${timeoutMs / 1000} s (${reason}). Is it running, and is the URL right?`,
  );
}
