import type { RoleMappingPayload as Role } from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';

/** Gives the service account of a client exactly these roles of another client, and removes all others. */
export async function syncServiceAccountRoles(
  admin: AdminApi,
  realm: string,
  clientId: string,
  { of: owner, roles }: { of: string; roles: string[] },
): Promise<void> {
  const { clients, users } = admin;
  const client = await findClient(admin, realm, clientId);
  const management = await findClient(admin, realm, owner);
  if (!client || !management) {
    throw new Error(`The realm ${realm} lacks the client ${client ? owner : clientId}.`);
  }
  const known = (await clients.listRoles({ realm, id: management.id })) as Role[];
  const wanted = known.filter(({ name }) => roles.includes(name));
  if (wanted.length !== roles.length)
    throw new Error(`The client ${owner} lacks one of ${roles.join(', ')}.`);

  const user = await serviceAccountOf(admin, realm, client.id);
  const account = { realm, id: user, clientUniqueId: management.id };
  const granted = changes((await users.listClientRoleMappings(account)) as Role[], wanted);
  if (granted.missing.length > 0) await users.addClientRoleMappings({ ...account, roles: granted.missing });
  if (granted.surplus.length > 0) await users.delClientRoleMappings({ ...account, roles: granted.surplus });

  // Without full scope a role counts only where the client may use it.
  const scope = { realm, id: client.id, client: management.id };
  const usable = changes((await clients.listClientScopeMappings(scope)) as Role[], wanted);
  if (usable.missing.length > 0) await clients.addClientScopeMappings(scope, usable.missing);
  if (usable.surplus.length > 0) await clients.delClientScopeMappings(scope, usable.surplus);
}

/** The id of the service-account user of a client. */
export async function serviceAccountOf(admin: AdminApi, realm: string, id: string): Promise<string> {
  const { id: user } = await admin.clients.getServiceAccountUser({ realm, id });
  if (!user) throw new Error(`A client of the realm ${realm} has no service account.`);
  return user;
}

const changes = (has: Role[], wanted: Role[]) => ({
  missing: wanted.filter(({ id }) => !has.some((role) => role.id === id)),
  surplus: has.filter(({ id }) => !wanted.some((role) => role.id === id)),
});
