import { type AdminApi, AdminRefusal, connect } from './admin-api.ts';
import { CredentialsRefused, type Credentials, SET_UP_CLIENT, setUpClient } from './admin-token.ts';
import { findClient, syncClient } from './client.ts';
import type { Definitions } from './definitions.ts';
import { syncServiceAccountRoles } from './service-account.ts';
import type { RealmSettings } from './settings.ts';

const MASTER = 'master';
// Keycloak marks by it what a bootstrap made: a user, or the service account of a client.
const TEMPORARY = 'is_temporary_admin';

interface User {
  id: string;
  username: string;
  attributes?: Record<string, string[]>;
}

interface Role {
  id: string;
  name: string;
}

// To close the realm master and to remove who is temporary there.
const IN_MASTER = { of: 'master-realm', roles: ['manage-realm', 'manage-clients', 'manage-users'] };
// Keycloak lets nobody grant what they may not do: `view-events` is for the client `identity`.
const inRealm = (realm: string) => ({
  of: `${realm}-realm`,
  roles: ['manage-realm', 'manage-clients', 'manage-users', 'view-events'],
});

/**
 * The admin API as the client `set-up`. Where there is none yet, it is made by whoever the installation began with:
 * the temporary client of the first start, or the user `admin` of older ones.
 */
export async function openAdmin(
  settings: RealmSettings,
  { master, realm }: Pick<Definitions, 'master' | 'realm'>,
): Promise<AdminApi> {
  const setUp = await connect(settings, settings.log);
  // A bootstrap client beside it was made on purpose: nobody can grant themselves what a newer version needs.
  if ((await isKnown(setUp)) && !(await findClient(setUp, MASTER, 'bootstrap'))) return setUp;

  const first = await firstAdmin(settings);
  for (const client of master.clients) {
    if (client.clientId !== SET_UP_CLIENT) continue;
    await syncClient(first, MASTER, { ...client, secret: settings.setUpSecret });
  }
  await grantCreateRealm(first);
  await syncServiceAccountRoles(first, MASTER, SET_UP_CLIENT, IN_MASTER);
  // The realm of an older installation; of a new one its maker is given every role.
  if (await first.find(`/${realm.realm}`)) {
    await syncServiceAccountRoles(first, MASTER, SET_UP_CLIENT, inRealm(realm.realm));
  }
  return setUp;
}

/** Leaves nobody in the realm master but `set-up` and whom people made on purpose, and guards its doors. */
export async function closeMaster(
  admin: AdminApi,
  settings: RealmSettings,
  { master: { clients, ...master }, realm }: Pick<Definitions, 'master' | 'realm'>,
): Promise<void> {
  await admin.put(`/${MASTER}`, master);
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
    await admin.get(`/${MASTER}/clients?clientId=${SET_UP_CLIENT}`);
    return true;
  } catch (error) {
    if (error instanceof CredentialsRefused) return false;
    // Made, but the run ended before it had its roles.
    if (error instanceof AdminRefusal && error.status === 403) return false;
    throw error;
  }
}

async function firstAdmin(settings: RealmSettings): Promise<AdminApi> {
  const { bootstrapSecret, formerAdminPassword } = settings;
  const candidates: Credentials[] = [
    ...(bootstrapSecret ? [{ clientId: 'bootstrap', secret: bootstrapSecret }] : []),
    ...(formerAdminPassword ? [{ username: 'admin', password: formerAdminPassword }] : []),
  ];
  for (const candidate of candidates) {
    const admin = await connect(settings, settings.log, candidate);
    if (await isKnown(admin)) return admin;
  }
  const { clientId } = setUpClient(settings) as { clientId: string };
  throw new Error(
    `Keycloak knows neither the client ${clientId} with this secret nor anybody to make it. ` +
      'Make a temporary client bootstrap and run this again: docs/runbooks/lost-admin.md.',
  );
}

async function grantCreateRealm(admin: AdminApi): Promise<void> {
  const client = await findClient(admin, MASTER, SET_UP_CLIENT);
  const user = await admin.get<User>(`/${MASTER}/clients/${client?.id}/service-account-user`);
  const role = await admin.get<Role>(`/${MASTER}/roles/create-realm`);
  await admin.post(`/${MASTER}/users/${user.id}/role-mappings/realm`, [role]);
}

/** Clients and users of a bootstrap, and the user `admin` of the versions that began with one. */
async function removeTemporary(admin: AdminApi): Promise<void> {
  const bootstrap = await findClient(admin, MASTER, 'bootstrap');
  if (bootstrap) await admin.delete(`/${MASTER}/clients/${bootstrap.id}`);
  const users = await admin.get<User[]>(
    `/${MASTER}/users?briefRepresentation=false&max=1000&q=${TEMPORARY}:true`,
  );
  for (const { id } of users) await admin.delete(`/${MASTER}/users/${id}`);
}
