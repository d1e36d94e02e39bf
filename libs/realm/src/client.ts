import type { AdminApi } from './admin-api.ts';
import type { Client, ProtocolMapper } from './definitions.ts';

interface ClientScope {
  id: string;
  name: string;
}

export async function findClient(
  admin: AdminApi,
  realm: string,
  clientId: string,
): Promise<Client | undefined> {
  const found = await admin.get<Client[]>(`/${realm}/clients?clientId=${encodeURIComponent(clientId)}`);
  return found[0];
}

export async function syncClient(admin: AdminApi, realm: string, ours: Client): Promise<void> {
  const existing = await findClient(admin, realm, ours.clientId);
  if (!existing) return admin.post(`/${realm}/clients`, ours);

  const path = `/${realm}/clients/${existing.id}`;
  const attributes = { ...existing.attributes, ...ours.attributes };
  // A PUT ignores mappers and scopes: they have addresses of their own.
  await admin.put(path, { ...existing, ...ours, attributes });
  if (ours.protocolMappers) await syncMappers(admin, path, ours.protocolMappers);
  if (ours.defaultClientScopes) {
    await syncScopes(admin, realm, `${path}/default-client-scopes`, ours.defaultClientScopes);
  }
  if (ours.optionalClientScopes) {
    await syncScopes(admin, realm, `${path}/optional-client-scopes`, ours.optionalClientScopes);
  }
}

async function syncMappers(admin: AdminApi, client: string, ours: ProtocolMapper[]) {
  const path = `${client}/protocol-mappers/models`;
  const existing = await admin.get<ProtocolMapper[]>(path);
  for (const mapper of ours) {
    const same = existing.find(({ name }) => name === mapper.name);
    if (same) await admin.put(`${path}/${same.id}`, { ...mapper, id: same.id });
    else await admin.post(path, mapper);
  }
  const names = new Set(ours.map(({ name }) => name));
  for (const { id, name } of existing) if (!names.has(name)) await admin.delete(`${path}/${id}`);
}

async function syncScopes(admin: AdminApi, realm: string, path: string, ours: string[]) {
  const existing = await admin.get<ClientScope[]>(path);
  for (const { id, name } of existing) if (!ours.includes(name)) await admin.delete(`${path}/${id}`);

  const missing = ours.filter((name) => !existing.some((scope) => scope.name === name));
  if (missing.length === 0) return;
  const known = await admin.get<ClientScope[]>(`/${realm}/client-scopes`);
  for (const name of missing) {
    const scope = known.find((candidate) => candidate.name === name);
    if (!scope) throw new Error(`The realm ${realm} has no client scope ${name}.`);
    await admin.put(`${path}/${scope.id}`);
  }
}
