import type { AdminApi } from './admin-api.ts';
import type { Client, ProtocolMapper } from './definitions.ts';

/** An object that Keycloak has stored and given an id. */
type Existing<T> = T & { id: string };

export async function findClient(
  admin: AdminApi,
  realm: string,
  clientId: string,
): Promise<Existing<Client> | undefined> {
  const [found] = await admin.clients.find({ realm, clientId });
  return found as Existing<Client> | undefined;
}

export async function syncClient(admin: AdminApi, realm: string, ours: Client): Promise<void> {
  const existing = await findClient(admin, realm, ours.clientId);
  if (!existing) return void (await admin.clients.create({ realm, ...ours }));

  const client = { realm, id: existing.id };
  const attributes = { ...existing.attributes, ...ours.attributes };
  // An update ignores mappers and scopes: they have their own endpoints.
  await admin.clients.update(client, { ...existing, ...ours, attributes });
  if (ours.protocolMappers) await syncMappers(admin, client, ours.protocolMappers);
  if (ours.defaultClientScopes) await syncScopes(admin, client, 'Default', ours.defaultClientScopes);
  if (ours.optionalClientScopes) await syncScopes(admin, client, 'Optional', ours.optionalClientScopes);
}

interface ClientAddress {
  realm: string;
  id: string;
}

async function syncMappers(admin: AdminApi, client: ClientAddress, ours: ProtocolMapper[]) {
  const existing = (await admin.clients.listProtocolMappers(client)) as Existing<ProtocolMapper>[];
  for (const mapper of ours) {
    const mapperId = existing.find(({ name }) => name === mapper.name)?.id;
    if (mapperId)
      await admin.clients.updateProtocolMapper({ ...client, mapperId }, { ...mapper, id: mapperId });
    else await admin.clients.addProtocolMapper(client, mapper);
  }
  const names = new Set(ours.map(({ name }) => name));
  for (const { id: mapperId, name } of existing)
    if (!names.has(name)) await admin.clients.delProtocolMapper({ ...client, mapperId });
}

async function syncScopes(
  admin: AdminApi,
  client: ClientAddress,
  kind: 'Default' | 'Optional',
  ours: string[],
) {
  const existing = await admin.clients[`list${kind}ClientScopes`](client);
  const known = await admin.clientScopes.find({ realm: client.realm });
  const idOf = (wanted?: string) => {
    const clientScopeId = known.find(({ name }) => name === wanted)?.id;
    if (!clientScopeId) throw new Error(`The realm ${client.realm} has no client scope ${wanted}.`);
    return { ...client, clientScopeId };
  };
  const names = existing.map(({ name }) => name);
  for (const name of names.filter((one) => one && !ours.includes(one)))
    await admin.clients[`del${kind}ClientScope`](idOf(name));
  for (const name of ours.filter((one) => !names.includes(one)))
    await admin.clients[`add${kind}ClientScope`](idOf(name));
}
