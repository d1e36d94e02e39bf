import { syncRealm } from '@stoa/realm';
import { Problem } from '../problem.ts';
import { type PartsDescription } from '../settings/description.ts';
import { type PartName } from '../settings/names.ts';
import { provisionStorage } from './buckets.ts';
import { provisionDatabases } from './databases.ts';
import { provisionStreams } from './streams.ts';

/** What each part needs before the product can use it. Every step may be run again at any time. */
export const provision: Record<Exclude<PartName, 'mail'>, (parts: PartsDescription) => Promise<void>> = {
  postgres: ({ postgres }) => provisionDatabases(postgres),
  nats: ({ nats }) => provisionStreams(nats.url, nats.users.provision, streamReplicas()),
  minio: ({ minio }) => provisionStorage(minio),
  keycloak: ({ keycloak, siteUrl, mail }) =>
    syncRealm({
      url: keycloak.url,
      adminUser: keycloak.adminUser,
      adminPassword: keycloak.adminPassword,
      siteUrl,
      identitySecret: keycloak.identitySecret,
      smtp: { host: mail.host, port: mail.smtpPort, from: mail.from },
    }),
};

/** One on a single server, three in a cluster of three. */
function streamReplicas(): number {
  const text = process.env.STREAM_REPLICAS || '1';
  if (['1', '3', '5'].includes(text)) return Number(text);
  throw new Problem(`STREAM_REPLICAS is "${text}": a stream is kept 1, 3 or 5 times.`);
}
