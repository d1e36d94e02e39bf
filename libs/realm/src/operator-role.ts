import type { RoleMappingPayload as Role } from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';

/** Equals `operatorRole` of the contracts, which the set-up image does not contain. */
const OPERATOR = 'operator';

/** Creates the role, grants it to no account, and adds it to tokens of the client web. */
export async function makeOperatorRole(admin: AdminApi, realm: string): Promise<void> {
  if (!(await admin.roles.findOneByName({ realm, name: OPERATOR })))
    await admin.roles.create({ realm, name: OPERATOR, description: 'Decides about reported pages.' });
  const web = await findClient(admin, realm, 'web');
  if (!web) throw new Error(`The realm ${realm} lacks the client web.`);
  const usable = await admin.clients.listRealmScopeMappings({ realm, id: web.id });
  // Without full scope a role counts only where the client may use it.
  if (!usable.some(({ name }) => name === OPERATOR))
    await admin.clients.addRealmScopeMappings({ realm, id: web.id }, [await operatorRoleOf(admin, realm)]);
}

/** Makes an account an operator. Its tokens contain the role from the next log-in on. */
export async function makeOperator(admin: AdminApi, realm: string, uid: string): Promise<void> {
  await admin.users.addRealmRoleMappings({ realm, id: uid, roles: [await operatorRoleOf(admin, realm)] });
}

async function operatorRoleOf(admin: AdminApi, realm: string): Promise<Role> {
  const role = await admin.roles.findOneByName({ realm, name: OPERATOR });
  if (!role) throw new Error(`The realm ${realm} has no role ${OPERATOR}.`);
  return role as Role;
}
