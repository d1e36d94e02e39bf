import type { RealmSettings } from './settings.ts';

/** Who asks the admin API: a client with a secret, or the user whom older installations began with. */
export type Credentials = { clientId: string; secret: string } | { username: string; password: string };

export const SET_UP_CLIENT = 'set-up';

export const setUpClient = ({ setUpSecret }: Pick<RealmSettings, 'setUpSecret'>): Credentials => ({
  clientId: SET_UP_CLIENT,
  secret: setUpSecret,
});

/** Keycloak does not know these credentials. */
export class CredentialsRefused extends Error {}

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * An access token of the realm master.
 *
 * @throws CredentialsRefused
 */
export async function adminToken(url: string, credentials: Credentials): Promise<string> {
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(grantOf(credentials)),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  if (response.ok) return ((await response.json()) as { access_token: string }).access_token;
  const name = 'clientId' in credentials ? `client ${credentials.clientId}` : `user ${credentials.username}`;
  const said = `Keycloak refused the ${name} of the realm master: ${response.status} ${await response.text()}.`;
  throw [400, 401].includes(response.status) ? new CredentialsRefused(said) : new Error(said);
}

const grantOf = (credentials: Credentials): Record<string, string> =>
  'clientId' in credentials
    ? {
        grant_type: 'client_credentials',
        client_id: credentials.clientId,
        client_secret: credentials.secret,
      }
    : { grant_type: 'password', client_id: 'admin-cli', ...credentials };
