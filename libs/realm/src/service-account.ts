import type { AdminApi } from './admin-api.ts';
import { findClient } from './client.ts';

interface Role {
  id: string;
  name: string;
}

/** The service account ends with exactly these roles of another client, no more. */
export async function syncServiceAccountRoles(
  admin: AdminApi,
  realm: string,
  clientId: string,
  { of: owner, roles }: { of: string; roles: string[] },
): Promise<void> {
  const client = await findClient(admin, realm, clientId);
  const management = await findClient(admin, realm, owner);
  if (!client || !management) {
    throw new Error(`The realm ${realm} lacks the client ${client ? owner : clientId}.`);
  }
  const user = await admin.get<{ id: string }>(`/${realm}/clients/${client.id}/service-account-user`);
  const wanted: Role[] = [];
  for (const name of roles) {
    wanted.push(await admin.get<Role>(`/${realm}/clients/${management.id}/roles/${name}`));
  }
  await syncRoles(admin, `/${realm}/users/${user.id}/role-mappings/clients/${management.id}`, wanted);
  // Without full scope a role counts only where the client may use it.
  await syncRoles(admin, `/${realm}/clients/${client.id}/scope-mappings/clients/${management.id}`, wanted);
}

async function syncRoles(admin: AdminApi, path: string, wanted: Role[]): Promise<void> {
  const granted = await admin.get<Role[]>(path);
  const missing = wanted.filter(({ id }) => !granted.some((role) => role.id === id));
  const surplus = granted.filter(({ id }) => !wanted.some((role) => role.id === id));
  if (missing.length > 0) await admin.post(path, missing);
  if (surplus.length > 0) await admin.delete(path, surplus);
}
