import type { AdminApi } from './admin-api.ts';
import type { Realm } from './definitions.ts';
import type { SmtpSettings } from './settings.ts';

export async function syncRealmSettings(admin: AdminApi, ours: Realm, smtp: SmtpSettings): Promise<void> {
  const realm = { ...ours, smtpServer: smtpServer(smtp) };
  const existing = await admin.realms.findOne({ realm: ours.realm });
  if (!existing) return void (await admin.realms.create(realm));
  // Keycloak stores its own settings among the attributes; an update replaces the whole map.
  const attributes = { ...existing.attributes, ...ours.attributes };
  await admin.realms.update({ realm: ours.realm }, { ...realm, attributes });
}

/** Splits a setting such as `Stoa <mail@stoa.example>`: Keycloak has separate fields for name and address. */
function senderOf(from: string): { from: string; fromDisplayName: string } {
  const [, name = '', address] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { from: address ?? from.trim(), fromDisplayName: name || 'Stoa' };
}

export const smtpServer = (smtp: SmtpSettings): Record<string, string> => ({
  host: smtp.host,
  port: String(smtp.port),
  ...senderOf(smtp.from),
  ...(smtp.user
    ? { auth: 'true', user: smtp.user, password: smtp.password ?? '', starttls: 'true' }
    : { auth: 'false' }),
});
