import type { AdminApi } from './admin-api.ts';
import type { RequiredAction } from './definitions.ts';

/** Switches an action on or off and sets how it is asked for; what we do not name stays. */
export async function syncRequiredAction(
  admin: AdminApi,
  realm: string,
  ours: RequiredAction,
): Promise<void> {
  const path = `/${realm}/authentication/required-actions/${ours.alias}`;
  const existing = await admin.get<RequiredAction>(path);
  await admin.put(path, { ...existing, ...ours, config: { ...existing.config, ...ours.config } });
}
