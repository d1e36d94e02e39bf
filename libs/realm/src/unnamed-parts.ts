import type { AdminApi } from './admin-api.ts';
import type { Client, FlowSteps, RequiredAction } from './definitions.ts';

/** Disables every required action that our realm does not name; Keycloak enables most by default. */
export async function disableOtherActions(
  { authenticationManagement }: AdminApi,
  realm: string,
  named: RequiredAction[],
): Promise<void> {
  // The library's types forbid a parameter that its request needs.
  for (const action of await authenticationManagement.getRequiredActions({ realm } as never)) {
    const { alias = '', enabled, defaultAction } = action;
    if (named.some((ours) => ours.alias === alias) || !(enabled || defaultAction)) continue;
    const off = { ...action, enabled: false, defaultAction: false };
    await authenticationManagement.updateRequiredAction({ realm, alias }, off);
  }
}

/**
 * Removes every authentication flow that our realm does not name, and disables unnamed steps. Keycloak's
 * built-in flows cannot be removed, so their steps are disabled.
 */
export async function disableOtherFlows(
  { authenticationManagement }: AdminApi,
  realm: string,
  named: FlowSteps,
): Promise<void> {
  const flows = await authenticationManagement.getFlows({ realm });
  for (const { id: flowId = '', alias: flow = '', builtIn, topLevel } of flows) {
    if (!topLevel) continue;
    const steps = named[flow];
    if (!steps && !builtIn) {
      await authenticationManagement.deleteFlow({ realm, flowId });
      continue;
    }
    for (const step of await authenticationManagement.getExecutions({ realm, flow })) {
      const { requirement, requirementChoices = [] } = step;
      if (steps?.includes(nameOfStep(step)) || requirement === 'DISABLED') continue;
      if (!requirementChoices.includes('DISABLED')) continue;
      await authenticationManagement.updateExecution({ realm, flow }, { ...step, requirement: 'DISABLED' });
    }
  }
}

/** The name of a flow's step in our realm: its provider, or its title if it only groups others. */
export const nameOfStep = ({ providerId, displayName }: { providerId?: string; displayName?: string }) =>
  providerId ?? displayName ?? '';

/**
 * Removes every client scope that our clients do not name, from the realm's defaults and from each client.
 */
export async function withdrawOtherScopes(admin: AdminApi, realm: string, ours: Client[]): Promise<void> {
  const { clients, clientScopes } = admin;
  const named = namedScopes(ours);
  // The library's types forbid a parameter that its requests need.
  const inRealm = { realm } as never;
  const others = (scopes: { id?: string; name?: string }[]) =>
    scopes.flatMap(({ id, name = '' }) => (id && !named.includes(name) ? [id] : []));
  for (const id of others(await clientScopes.listDefaultClientScopes(inRealm)))
    await clientScopes.delDefaultClientScope({ realm, id });
  for (const id of others(await clientScopes.listDefaultOptionalClientScopes(inRealm)))
    await clientScopes.delDefaultOptionalClientScope({ realm, id });
  for (const { id = '', access } of await clients.find({ realm })) {
    // Keycloak's own clients of roles and permissions: no user logs in by them, and set-up may not change
    // them.
    if (access?.['configure'] === false) continue;
    for (const clientScopeId of others(await clients.listDefaultClientScopes({ realm, id })))
      await clients.delDefaultClientScope({ realm, id, clientScopeId });
    for (const clientScopeId of others(await clients.listOptionalClientScopes({ realm, id })))
      await clients.delOptionalClientScope({ realm, id, clientScopeId });
  }
}

/** The client scopes that at least one of our clients has. */
export const namedScopes = (ours: Client[]): string[] =>
  ours.flatMap(({ defaultClientScopes = [], optionalClientScopes = [] }) => [
    ...defaultClientScopes,
    ...optionalClientScopes,
  ]);
