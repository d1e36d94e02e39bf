import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealmSettings } from './settings.ts';

export type AdminApi = KeycloakAdminClient;
/** The credentials of a caller of the admin API. */
export type Credentials = Parameters<AdminApi['auth']>[0];

export const SET_UP_CLIENT = 'set-up';

const RETRY_MS = 500;
// Milliseconds for a request. On a busy machine Keycloak has taken more than 30 s to create a realm.
const REQUEST_TIMEOUT_MS = 60_000;

/** Waits until Keycloak answers and returns the admin API, by default with the credentials of set-up. */
export async function connect(
  settings: Pick<RealmSettings, 'url' | 'setUpSecret' | 'timeoutMs'>,
  log: (line: string) => void = () => {},
  credentials: Credentials = clientCredentials(SET_UP_CLIENT, settings.setUpSecret),
): Promise<AdminApi> {
  const baseUrl = settings.url.replace(/\/+$/, '');
  await waitUntilReachable(baseUrl, settings.timeoutMs ?? 120_000, log);

  const admin = new KeycloakAdminClient({ baseUrl, timeout: REQUEST_TIMEOUT_MS });
  // The library renews a token only with a refresh token, and these grants return none.
  const getAccessToken = async () => {
    if (!admin.accessToken || admin.isTokenExpired()) await admin.auth(credentials);
    return admin.accessToken;
  };
  admin.registerTokenProvider({ getAccessToken });
  return withErrorContext(admin);
}

export const clientCredentials = (clientId: string, clientSecret: string): Credentials => ({
  grantType: 'client_credentials',
  clientId,
  clientSecret,
});

/** Wraps the client so that its errors name the request: the library reports only "unknown_error". */
function withErrorContext<T extends object>(client: T): T {
  return new Proxy(client, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'function')
        return (...given: unknown[]) =>
          Promise.resolve(found.apply(target, given)).catch((error: unknown) => explain(String(name), error));
      return typeof found === 'object' && found ? withErrorContext(found) : found;
    },
  });
}

function explain(method: string, error: unknown): never {
  if (!(error instanceof NetworkError))
    throw new Error(`Keycloak did not answer ${method} (${reasonOf(error)}).`, { cause: error });
  const { url, status } = error.response;
  error.message = `Keycloak refused ${url} with ${status}: ${JSON.stringify(error.responseData)}`;
  throw error;
}

// fetch reports only that it failed; `cause` has the reason.
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
