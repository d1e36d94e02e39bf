import { syncRealm } from '@stoa/realm';
import type { PartsDescription } from '../settings/parts-description.ts';
import { type PartName } from '../settings/names.ts';
import { setUpSettings } from '../settings/set-up-settings.ts';
import { provisionStorage } from './buckets.ts';
import { provisionDatabases } from './databases.ts';
import { provisionStreams } from './streams.ts';

/** Sets up each part for the product. Every step is idempotent. */
export const provision: Record<Exclude<PartName, 'mail'>, (parts: PartsDescription) => Promise<void>> = {
  postgres: ({ postgres }) => provisionDatabases(postgres),
  nats: ({ nats }) =>
    provisionStreams(nats.url, nats.users.provision, Number(setUpSettings(process.env).STREAM_REPLICAS)),
  minio: ({ minio }) => provisionStorage(minio),
  keycloak: ({ keycloak, siteUrl, mail }) =>
    syncRealm({
      url: keycloak.url,
      setUpSecret: keycloak.setUpSecret,
      bootstrapSecret: keycloak.bootstrapSecret,
      siteUrl,
      identitySecret: keycloak.identitySecret,
      smtp: { host: mail.host, port: mail.smtpPort, from: mail.from },
    }),
};
