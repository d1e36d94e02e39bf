import { NetworkError } from '@keycloak/keycloak-admin-client';
import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';
import { serviceAccountOf, syncServiceAccountRoles } from './service-account.ts';

const CLIENT = 'identity';
// Without `manage-users`: it would let identity make any account an operator.
const ROLES = { of: 'realm-management', roles: ['query-users', 'view-events'] };
const POLICY = 'the service account of identity';
const PERMISSION = 'identity views and manages people';
// Without `map-roles`, `manage-group-membership` and `impersonate`.
const SCOPES = ['manage', 'view'];

/**
 * Grants the client `identity` a fine-grained permission to view and manage users, without the right to grant
 * roles. Removes every role that includes that right.
 */
export async function limitIdentity(admin: AdminApi, realm: string): Promise<void> {
  await syncRoles(admin, realm);
  await admin.realms.update({ realm }, { adminPermissionsEnabled: true });
  const permissions = await findClient(admin, realm, 'admin-permissions');
  const identity = await findClient(admin, realm, CLIENT);
  if (!permissions || !identity) throw new Error(`The realm ${realm} lacks the clients of its permissions.`);
  const server = { realm, id: permissions.id };
  const account = await serviceAccountOf(admin, realm, identity.id);
  const policy = await syncPolicy(admin, server, account);
  await syncPermission(admin, server, policy);
}

/** With fine-grained permissions on, Keycloak lets no client change its own roles. */
async function syncRoles(admin: AdminApi, realm: string): Promise<void> {
  const sync = () => syncServiceAccountRoles(admin, realm, CLIENT, ROLES);
  try {
    await sync();
  } catch (error) {
    if (!(error instanceof NetworkError) || error.response.status !== 403) throw error;
    await admin.realms.update({ realm }, { adminPermissionsEnabled: false });
    await sync();
  }
}

type Server = { realm: string; id: string };

/** A policy of the kind `user`: Keycloak does not filter lists of users by a policy of the kind `client`. */
async function syncPolicy({ clients }: AdminApi, server: Server, account: string): Promise<string> {
  const policy = { name: POLICY, type: 'user', users: [account] };
  const found = await clients.findPolicyByName({ ...server, name: POLICY });
  if (!found?.id) {
    const made = await clients.createPolicy({ ...server, type: 'user' }, policy);
    return made.id ?? '';
  }
  await clients.updatePolicy({ ...server, type: 'user', policyId: found.id }, { ...policy, id: found.id });
  return found.id;
}

async function syncPermission({ clients }: AdminApi, server: Server, policy: string): Promise<void> {
  const permission = { name: PERMISSION, resourceType: 'Users', scopes: SCOPES, policies: [policy] };
  const known = await clients.findPermissions({ ...server, name: PERMISSION });
  const existing = known.find(({ name }) => name === PERMISSION)?.id;
  if (existing)
    await clients.updatePermission({ ...server, type: 'scope', permissionId: existing }, permission);
  else await clients.createPermission({ ...server, type: 'scope' }, permission);
}
