import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../problem.ts';
import { databases, natsUsers, storageKeys, type Database, type NatsUser, type StorageKey } from './names.ts';

const upper = (name: string) => name.toUpperCase();
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The names in `secrets.env`; docker-compose.yml and deploy/nats/nats.conf use the same names. */
export const secretNames = [
  'POSTGRES_PASSWORD',
  'POSTGRES_MIGRATION_PASSWORD',
  // Password of the role that reads Postgres' statistics (k8s/components/metrics).
  'POSTGRES_METRICS_PASSWORD',
  ...databases.map((name) => `POSTGRES_${upper(name)}_PASSWORD`),
  ...natsUsers.map((name) => `NATS_${upper(name)}_PASSWORD`),
  // Password between the servers of a NATS cluster.
  'NATS_CLUSTER_PASSWORD',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  ...storageKeys.flatMap((name) => [`S3_${upper(name)}_ACCESS_KEY`, `S3_${upper(name)}_SECRET_KEY`]),
  // Secret of the client that Keycloak's first start creates and set-up removes.
  'KEYCLOAK_BOOTSTRAP_SECRET',
  'KEYCLOAK_SETUP_SECRET',
  'KEYCLOAK_IDENTITY_SECRET',
  'CONTACT_SENDER_KEY',
  // Key of the hashes that replace network addresses in counts and logs.
  'HASH_KEY',
  'EDGE_DEVICE_KEY',
  // The password of all sample creators.
  'SEED_PASSWORD',
] as const;

/** Passwords and keys of one checkout, or of one set of parts in tests. */
export type Secrets = Readonly<Record<string, string>>;

/** The password of a database's owner. */
export const databasePassword = (secrets: Secrets, name: Database): string =>
  requireSecret(secrets, `POSTGRES_${upper(name)}_PASSWORD`);

/** The password of a NATS user. */
export const natsPassword = (secrets: Secrets, name: NatsUser): string =>
  requireSecret(secrets, `NATS_${upper(name)}_PASSWORD`);

/** An access key of the object store with its secret. */
export const storageKey = (secrets: Secrets, name: StorageKey) => ({
  accessKey: requireSecret(secrets, `S3_${upper(name)}_ACCESS_KEY`),
  secretKey: requireSecret(secrets, `S3_${upper(name)}_SECRET_KEY`),
});

export function requireSecret(secrets: Secrets, name: string): string {
  const value = secrets[name];
  if (value === undefined) throw new Problem(`The secret ${name} is missing.`);
  return value;
}

/**
 * Reads the secrets, and appends missing ones. Only the owner can read the file. Lines that people have added
 * stay unchanged.
 */
export function loadSecrets(file: string): Secrets {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = parse(text);
  const missing = secretNames.filter((name) => !known[name]);
  const made = make(missing);
  if (missing.length > 0) {
    mkdirSync(dirname(file), { recursive: true });
    // Removes empty values: one would precede the new value, and some readers use the first.
    const kept = text
      .split('\n')
      .filter((line) => !missing.some((name) => line === `${name}=`))
      .join('\n');
    const end = kept === '' || kept.endsWith('\n') ? '' : '\n';
    const added = missing.map((name) => `${name}=${made[name]}\n`);
    writeFileSync(`${file}.new`, [kept, end, ...added].join(''), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  chmodSync(file, 0o600);
  return { ...known, ...made };
}

/** Secrets that are never stored, for tests. */
export function temporarySecrets(): Secrets {
  return make(secretNames);
}

const make = (names: readonly string[]): Secrets =>
  Object.fromEntries(names.map((name) => [name, generate(name)]));

/**
 * The first characters are letters: NATS parses the value of a variable as configuration, and 1e5 or 3k would
 * be a number.
 */
function generate(name: string): string {
  const length = /_USER$|ACCESS_KEY$/.test(name) ? 20 : 32;
  const alphabet = `${letters}${letters.toUpperCase()}0123456789`;
  const rest = Array.from({ length: length - 2 }, () => alphabet[randomInt(alphabet.length)]);
  return `${letters[randomInt(26)]}${letters[randomInt(26)]}${rest.join('')}`;
}

function parse(text: string): Record<string, string> {
  const entries = text.split('\n').map((line) => /^([A-Z0-9_]+)=(.*)$/.exec(line));
  return Object.fromEntries(entries.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}
