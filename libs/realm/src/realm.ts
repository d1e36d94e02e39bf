import type { AdminApi } from './admin-api.ts';
import type { Realm } from './definitions.ts';
import type { SmtpSettings } from './settings.ts';

export async function syncRealmSettings(admin: AdminApi, ours: Realm, smtp: SmtpSettings): Promise<void> {
  const realm = { ...ours, smtpServer: smtpServer(smtp) };
  const existing = await admin.find<Realm>(`/${ours.realm}`);
  if (!existing) return admin.post('', realm);
  // Keycloak keeps settings of its own among the attributes; a PUT replaces the whole map.
  const attributes = { ...existing.attributes, ...ours.attributes };
  await admin.put(`/${ours.realm}`, { ...realm, attributes });
}

const smtpServer = (smtp: SmtpSettings): Record<string, string> => ({
  host: smtp.host,
  port: String(smtp.port),
  from: smtp.from,
  fromDisplayName: 'Stoa',
  ...(smtp.user
    ? { auth: 'true', user: smtp.user, password: smtp.password ?? '', starttls: 'true' }
    : { auth: 'false' }),
});
