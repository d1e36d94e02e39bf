import type { AdminApi } from './admin-api.ts';
import type { RequiredAction } from './definitions.ts';

/** Switches a required action on or off and sets its options. Options that we do not name stay unchanged. */
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
