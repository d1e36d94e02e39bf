import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';

interface Role {
  id: string;
  name: string;
}

/** The service account ends with exactly these roles of realm-management, no more. */
export async function syncServiceAccountRoles(
  admin: AdminApi,
  realm: string,
  clientId: string,
  roles: string[],
): Promise<void> {
  const client = await findClient(admin, realm, clientId);
  const management = await findClient(admin, realm, 'realm-management');
  if (!client || !management) {
    throw new Error(`The realm ${realm} lacks the client ${client ? 'realm-management' : clientId}.`);
  }
  const user = await admin.get<{ id: string }>(`/${realm}/clients/${client.id}/service-account-user`);
  const path = `/${realm}/users/${user.id}/role-mappings/clients/${management.id}`;
  const granted = await admin.get<Role[]>(path);
  const wanted: Role[] = [];
  for (const name of roles) {
    wanted.push(await admin.get<Role>(`/${realm}/clients/${management.id}/roles/${name}`));
  }

  const missing = wanted.filter(({ id }) => !granted.some((role) => role.id === id));
  const surplus = granted.filter(({ id }) => !wanted.some((role) => role.id === id));
  if (missing.length > 0) await admin.post(path, missing);
  if (surplus.length > 0) await admin.delete(path, surplus);
}
