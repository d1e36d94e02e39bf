import { apps, databases } from '@stoa/system/settings/names';
import { code, page, table } from './reference-page.ts';

interface Purpose {
  readonly names: readonly string[];
  readonly between: string;
  readonly purpose: string;
}

const passwords = (prefix: string, names: readonly string[]) =>
  names.map((name) => `${prefix}_${name.toUpperCase()}_PASSWORD`);
const keyPair = (prefix: string) => [`${prefix}_ACCESS_KEY`, `${prefix}_SECRET_KEY`];

/** Every secret of an installation, the parties that know it, and its purpose. */
export const secretPurposes: readonly Purpose[] = [
  { names: ['POSTGRES_PASSWORD'], between: 'set-up, Postgres', purpose: 'creating databases and roles' },
  {
    names: ['POSTGRES_MIGRATION_PASSWORD'],
    between: 'migrations, Postgres',
    purpose: 'changing tables; the user of a service cannot',
  },
  {
    names: ['POSTGRES_METRICS_PASSWORD'],
    between: 'the exporter of metrics, Postgres',
    purpose: 'statistics of Postgres; no row of a table',
  },
  {
    names: passwords('POSTGRES', databases),
    between: 'each service, Postgres',
    purpose: 'its own database',
  },
  {
    names: passwords('NATS', apps),
    between: 'each process, NATS',
    purpose: 'its own subjects',
  },
  {
    names: ['NATS_PROVISION_PASSWORD'],
    between: 'set-up, `dead-letters`, backups, NATS',
    purpose: 'creating, saving and restoring streams; reading and deleting dead letters',
  },
  {
    names: ['NATS_CLUSTER_PASSWORD'],
    between: 'the servers of a NATS cluster',
    purpose: 'the routes between them',
  },
  {
    names: ['MINIO_ROOT_USER', 'MINIO_ROOT_PASSWORD'],
    between: 'set-up, object store',
    purpose: 'creating buckets and keys',
  },
  {
    names: keyPair('S3_UPLOADS'),
    between: 'media, object store',
    purpose: 'signing forms for the staging bucket; each uploader sees the access key',
  },
  {
    names: keyPair('S3_LINKS'),
    between: 'media, object store',
    purpose: 'signing links to files; each buyer sees the access key',
  },
  {
    names: keyPair('S3_WORK'),
    between: 'media, object store',
    purpose: 'everything else that media does; never visible outside',
  },
  {
    names: ['KEYCLOAK_BOOTSTRAP_SECRET'],
    between: 'set-up, Keycloak',
    purpose: 'the first start only; the first set-up removes the client',
  },
  { names: ['KEYCLOAK_SETUP_SECRET'], between: 'set-up, Keycloak', purpose: 'the settings of both realms' },
  {
    names: ['KEYCLOAK_IDENTITY_SECRET'],
    between: 'identity, Keycloak',
    purpose: 'following sessions and accounts',
  },
  {
    names: ['EDGE_DEVICE_KEY'],
    between: 'edge only',
    purpose: 'cookies of known browsers and digests of accounts and addresses (HMAC-SHA-256)',
  },
  {
    names: ['HASH_KEY'],
    between: 'gateway only',
    purpose: 'digests of addresses and accounts in counters and logs (HMAC-SHA-256)',
  },
  {
    names: ['CONTACT_SENDER_KEY'],
    between: 'contact only',
    purpose: 'digests of network addresses (HMAC-SHA-256)',
  },
  {
    names: ['SEED_PASSWORD'],
    between: 'the seed',
    purpose: 'the sample creators of a trial installation',
  },
];

export const secretsPage = (): string =>
  page(
    'Secrets',
    '`npm run stoa secrets` generates each missing secret from a cryptographic random source. [Rotating secrets](../operate/secrets.md) describes how to change one.',
    table(
      ['secret', 'known to', 'purpose'],
      secretPurposes.map(({ names, between, purpose }) => [names.map(code).join(', '), between, purpose]),
    ),
  );
