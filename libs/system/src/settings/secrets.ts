import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../problem.ts';
import { databases, natsUsers, storageKeys, type Database, type NatsUser, type StorageKey } from './names.ts';
import { makeRequestKeys, publicKeyOf } from './request-keys.ts';

const upper = (name: string) => name.toUpperCase();
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The names in `secrets.env`; docker-compose.yml and deploy/nats/nats.conf read the same ones. */
export const secretNames = [
  'POSTGRES_PASSWORD',
  'POSTGRES_MIGRATION_PASSWORD',
  ...databases.map((name) => `POSTGRES_${upper(name)}_PASSWORD`),
  ...natsUsers.map((name) => `NATS_${upper(name)}_PASSWORD`),
  // Of the servers of a cluster among themselves.
  'NATS_CLUSTER_PASSWORD',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  ...storageKeys.flatMap((name) => [`S3_${upper(name)}_ACCESS_KEY`, `S3_${upper(name)}_SECRET_KEY`]),
  // Of the client that Keycloak's first start makes and set-up removes.
  'KEYCLOAK_BOOTSTRAP_SECRET',
  'KEYCLOAK_SETUP_SECRET',
  'KEYCLOAK_IDENTITY_SECRET',
  'CONTACT_SENDER_KEY',
  // Of the hashes that stand for network addresses in counts and in the log.
  'HASH_KEY',
  'REQUEST_SIGNING_KEY',
  'REQUEST_PUBLIC_KEYS',
  'EDGE_DEVICE_KEY',
  // Of every sample creator.
  'SEED_PASSWORD',
] as const;

/** Names that an older installation's file still holds, read so that what they open can be closed. */
export const retiredSecretNames = ['S3_ACCESS_KEY', 'KEYCLOAK_ADMIN_PASSWORD'] as const;

/** Passwords and keys of one checkout, or of one set of parts for tests. */
export type Secrets = Readonly<Record<string, string>>;

/** The password of a database's owner. */
export const databasePassword = (secrets: Secrets, name: Database): string =>
  requireSecret(secrets, `POSTGRES_${upper(name)}_PASSWORD`);

/** The password of a NATS user. */
export const natsPassword = (secrets: Secrets, name: NatsUser): string =>
  requireSecret(secrets, `NATS_${upper(name)}_PASSWORD`);

/** One of the keys to the object store. */
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
 * Reads the secrets, adding those that are missing at the end; readable by their owner only. People keep secrets of
 * their own in the file, and notes, so every line that says something stays as it is.
 */
export function loadSecrets(file: string): Secrets {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = parse(text);
  const missing = secretNames.filter((name) => !known[name]);
  const made = make(missing, known);
  if (missing.length > 0) {
    mkdirSync(dirname(file), { recursive: true });
    // An empty value would stand before the new one, and some readers take the first.
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

/** Secrets that live no longer than the tests that use them. */
export function temporarySecrets(): Secrets {
  return make(secretNames, {});
}

function make(names: readonly string[], known: Secrets): Secrets {
  const made: Record<string, string> = {};
  for (const name of names) {
    if (name === 'REQUEST_SIGNING_KEY') made[name] = makeRequestKeys().signingKey;
    else if (name === 'REQUEST_PUBLIC_KEYS')
      made[name] = publicKeyOf(requireSecret({ ...known, ...made }, 'REQUEST_SIGNING_KEY'));
    else made[name] = generate(name);
  }
  return made;
}

/** Letters first: NATS reads a variable's value as configuration, where 1e5 or 3k would be a number. */
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
