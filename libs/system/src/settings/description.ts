import {
  apps,
  buckets,
  databases,
  metricsUser,
  migrationUser,
  natsUsers,
  services,
  storageKeys,
} from './names.ts';
import { appEnvironment } from './environment.ts';
import type { PartsDescription } from './parts-description.ts';
import { type Ports } from './ports.ts';
import { databasePassword, natsPassword, requireSecret, storageKey, type Secrets } from './secrets.ts';
import { chosenStore, type Store } from './store.ts';

/** Host and port of each part, as the calling process reaches them. */
export interface Addresses {
  postgres: string;
  nats: string;
  minio: string;
  keycloak: string;
  smtp: string;
  mail: string;
}

const onThisMachine = (ports: Ports): Addresses => ({
  postgres: `127.0.0.1:${ports.postgres}`,
  nats: `127.0.0.1:${ports.nats}`,
  minio: `127.0.0.1:${ports.minioInternal}`,
  keycloak: `127.0.0.1:${ports.keycloakInternal}`,
  smtp: `127.0.0.1:${ports.smtp}`,
  mail: `127.0.0.1:${ports.mail}`,
});

/** Describes the parts for these ports and secrets, by default with addresses of this machine. */
export function describeParts(
  ports: Ports,
  secrets: Secrets,
  addresses: Addresses = onThisMachine(ports),
  store: Store = chosenStore(),
  certificates?: string,
): PartsDescription {
  const http = certificates ? 'https' : 'http';
  const verified = certificates ? '?sslmode=verify-full' : '';
  const [smtpHost = '', smtpPort] = addresses.smtp.split(':');
  const database = (name: string, user: string, password: string) =>
    `postgresql://${user}:${password}@${addresses.postgres}/${name}${verified}`;
  const known: Omit<PartsDescription, 'environments'> = {
    certificates,
    siteUrl: process.env.STOA_SITE_URL || `http://localhost:${ports.site}`,
    postgres: {
      adminUrl: database('postgres', 'postgres', requireSecret(secrets, 'POSTGRES_PASSWORD')),
      migrationUrls: record(services, (name) =>
        database(name, migrationUser, requireSecret(secrets, 'POSTGRES_MIGRATION_PASSWORD')),
      ),
      metricsUrl: database('postgres', metricsUser, requireSecret(secrets, 'POSTGRES_METRICS_PASSWORD')),
      urls: record(databases, (name) => database(name, name, databasePassword(secrets, name))),
    },
    nats: {
      url: `${certificates ? 'tls' : 'nats'}://${addresses.nats}`,
      users: record(natsUsers, (user) => ({
        user,
        pass: natsPassword(secrets, user),
        inboxPrefix: `_INBOX_${user}`,
      })),
    },
    minio: {
      store,
      endpoint: `${http}://${addresses.minio}`,
      publicEndpoint: `http://localhost:${ports.minio}`,
      root: {
        accessKey: requireSecret(secrets, 'MINIO_ROOT_USER'),
        secretKey: requireSecret(secrets, 'MINIO_ROOT_PASSWORD'),
      },
      keys: record(storageKeys, (name) => storageKey(secrets, name)),
      buckets,
    },
    keycloak: {
      url: `${http}://${addresses.keycloak}`,
      publicUrl: `http://localhost:${ports.keycloak}`,
      realm: 'stoa',
      setUpSecret: requireSecret(secrets, 'KEYCLOAK_SETUP_SECRET'),
      bootstrapSecret: requireSecret(secrets, 'KEYCLOAK_BOOTSTRAP_SECRET'),
      identitySecret: requireSecret(secrets, 'KEYCLOAK_IDENTITY_SECRET'),
    },
    contact: { senderKey: requireSecret(secrets, 'CONTACT_SENDER_KEY') },
    hashKey: requireSecret(secrets, 'HASH_KEY'),
    edge: { deviceKey: requireSecret(secrets, 'EDGE_DEVICE_KEY') },
    mail: {
      host: smtpHost,
      smtpPort: Number(smtpPort),
      smtpUrl: `smtp://${addresses.smtp}`,
      from: process.env.MAIL_FROM || 'Stoa <no-reply@stoa.localhost>',
      url: `http://${addresses.mail}`,
    },
  };
  return { ...known, environments: record(apps, (app) => appEnvironment(app, known, ports)) };
}

function record<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
