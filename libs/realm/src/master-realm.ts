import { NetworkError } from '@keycloak/keycloak-admin-client';
import type { RoleMappingPayload } from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import { type AdminApi, clientCredentials, connect, SET_UP_CLIENT } from './admin-api.ts';
import { findClient, syncClient } from './client.ts';
import type { Definitions } from './definitions.ts';
import { serviceAccountOf, syncServiceAccountRoles } from './service-account.ts';
import type { RealmSettings } from './settings.ts';

const MASTER = 'master';
// Keycloak's mark for a bootstrap user and for the service account of a bootstrap client.
const TEMPORARY = 'is_temporary_admin';

// Roles for closing the realm master and for removing temporary administrators.
const IN_MASTER = { of: 'master-realm', roles: ['manage-realm', 'manage-clients', 'manage-users'] };
// A client can grant only roles that it has itself; `view-events` is for the client `identity`.
const inRealm = (realm: string) => ({
  of: `${realm}-realm`,
  roles: ['manage-realm', 'manage-clients', 'manage-users', 'view-events'],
});

/**
 * Returns the admin API as the client `set-up`. If that client is missing, the temporary client of Keycloak's
 * first start creates it.
 */
export async function openAdmin(
  settings: RealmSettings,
  { master, realm }: Pick<Definitions, 'master' | 'realm'>,
): Promise<AdminApi> {
  const setUp = await connect(settings, settings.log);
  // A bootstrap client beside `set-up` is deliberate: a newer version needs roles that a client cannot grant
  // itself.
  if ((await isKnown(setUp)) && !(await findClient(setUp, MASTER, 'bootstrap'))) return setUp;

  const first = await firstAdmin(settings);
  for (const client of master.clients) {
    if (client.clientId !== SET_UP_CLIENT) continue;
    await syncClient(first, MASTER, { ...client, secret: settings.setUpSecret });
  }
  await grantCreateRealm(first);
  await syncServiceAccountRoles(first, MASTER, SET_UP_CLIENT, IN_MASTER);
  // Only for a realm that exists already: Keycloak gives the creator of a new realm every role.
  if (await first.realms.findOne({ realm: realm.realm })) {
    await syncServiceAccountRoles(first, MASTER, SET_UP_CLIENT, inRealm(realm.realm));
  }
  return setUp;
}

/**
 * Removes temporary administrators from the realm master and hardens its log-in. `set-up` and deliberate
 * administrators stay.
 */
export async function closeMaster(
  admin: AdminApi,
  settings: RealmSettings,
  { master: { clients, ...master }, realm }: Pick<Definitions, 'master' | 'realm'>,
): Promise<void> {
  await admin.realms.update({ realm: MASTER }, master);
  for (const client of clients) {
    const secret = client.clientId === SET_UP_CLIENT ? { secret: settings.setUpSecret } : {};
    await syncClient(admin, MASTER, { ...client, ...secret });
  }
  await syncServiceAccountRoles(admin, MASTER, SET_UP_CLIENT, inRealm(realm.realm));
  await syncServiceAccountRoles(admin, MASTER, SET_UP_CLIENT, IN_MASTER);
  await removeTemporary(admin);
}

async function isKnown(admin: AdminApi): Promise<boolean> {
  try {
    await findClient(admin, MASTER, SET_UP_CLIENT);
    return true;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    const { url, status } = error.response;
    // The client is missing, or an interrupted run created it without its roles.
    if (url.endsWith('/token') ? [400, 401].includes(status) : status === 403) return false;
    throw error;
  }
}

async function firstAdmin(settings: RealmSettings): Promise<AdminApi> {
  const { bootstrapSecret } = settings;
  if (bootstrapSecret) {
    const admin = await connect(settings, settings.log, clientCredentials('bootstrap', bootstrapSecret));
    if (await isKnown(admin)) return admin;
  }
  throw new Error(
    `Keycloak knows neither the client ${SET_UP_CLIENT} with this secret nor a client that can create it. ` +
      'Make a temporary client bootstrap and run this again: docs/operate/runbooks/lost-admin.md.',
  );
}

async function grantCreateRealm(admin: AdminApi): Promise<void> {
  const client = await findClient(admin, MASTER, SET_UP_CLIENT);
  const id = await serviceAccountOf(admin, MASTER, client?.id ?? '');
  const role = await admin.roles.findOneByName({ realm: MASTER, name: 'create-realm' });
  await admin.users.addRealmRoleMappings({ realm: MASTER, id, roles: [role as RoleMappingPayload] });
}

async function removeTemporary(admin: AdminApi): Promise<void> {
  const bootstrap = await findClient(admin, MASTER, 'bootstrap');
  if (bootstrap) await admin.clients.del({ realm: MASTER, id: bootstrap.id });
  const temporary = { realm: MASTER, briefRepresentation: false, max: 1000, q: `${TEMPORARY}:true` };
  for (const { id = '' } of await admin.users.find(temporary)) await admin.users.del({ realm: MASTER, id });
}
