import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProtocolMapper {
  id?: string;
  name: string;
  protocol: string;
  protocolMapper: string;
  config: Record<string, string>;
}

export interface Client {
  id?: string;
  clientId: string;
  rootUrl?: string;
  secret?: string;
  attributes?: Record<string, string>;
  protocolMappers?: ProtocolMapper[];
  defaultClientScopes?: string[];
  optionalClientScopes?: string[];
}

/** An action that Keycloak can require of a user, and that users can start themselves. */
export interface RequiredAction {
  alias: string;
  enabled: boolean;
  config: Record<string, string>;
}

/**
 * The steps of each authentication flow that we use, by the flow's alias. A step is named by its provider or
 * title.
 */
export type FlowSteps = Record<string, string[]>;

export interface Realm {
  realm: string;
  attributes?: Record<string, string>;
  smtpServer?: Record<string, string>;
}

export interface Definitions {
  /** The administrators' realm, with the clients that differ from Keycloak's defaults. */
  master: Realm & { clients: Client[] };
  realm: Realm;
  clients: Client[];
  requiredActions: RequiredAction[];
  flowSteps: FlowSteps;
  userProfile: object;
}

const CHECKED_IN = fileURLToPath(new URL('../../../deploy/keycloak', import.meta.url));

export async function readDefinitions(folder = CHECKED_IN): Promise<Definitions> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const { clients, requiredActions, flowSteps, ...realm } = (await read('realm.json')) as Realm &
    Pick<Definitions, 'clients' | 'requiredActions' | 'flowSteps'>;
  const master = (await read('master.json')) as Definitions['master'];
  return {
    master,
    realm,
    clients,
    requiredActions,
    flowSteps,
    userProfile: (await read('user-profile.json')) as object,
  };
}
