import { NetworkError } from '@keycloak/keycloak-admin-client';
import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';
import { serviceAccountOf, syncServiceAccountRoles } from './service-account.ts';

const CLIENT = 'identity';
// Keycloak's role `manage-users` would let it give any account the role of an operator.
const ROLES = { of: 'realm-management', roles: ['query-users', 'view-events'] };
const POLICY = 'the service account of identity';
const PERMISSION = 'identity views and manages people';
// Neither `map-roles` nor `manage-group-membership`, nor `impersonate`.
const SCOPES = ['manage', 'view'];

/**
 * Lets the client `identity` view and manage people by a fine-grained permission, which includes no right to give roles,
 * and takes away every role that would.
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

/** With fine-grained permissions on, Keycloak lets no client change who has its own roles. */
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

/** Of the kind `user`: lists of people are not filtered by a policy of the kind `client`. */
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
