import type { AdminApi } from './admin-api.ts';
import type { RequiredAction } from './definitions.ts';

/** Switches an action on or off and sets how it is asked for; what we do not name stays. */
export async function syncRequiredAction(
  admin: AdminApi,
  realm: string,
  ours: RequiredAction,
): Promise<void> {
  const action = { realm, alias: ours.alias };
  const existing = await admin.authenticationManagement.getRequiredActionForAlias(action);
  const config = { ...existing?.config, ...ours.config };
  await admin.authenticationManagement.updateRequiredAction(action, { ...existing, ...ours, config });
}
