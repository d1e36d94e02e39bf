import { migrateAll } from '@stoa/system/apps/migrate';
import { Problem } from '@stoa/system/problem';
import { provision } from '@stoa/system/provision/provision';
import { describeParts } from '@stoa/system/settings/description';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { defaultPorts } from '@stoa/system/settings/ports';
import { formerSecretNames, requireSecret, secretNames, type Secrets } from '@stoa/system/settings/secrets';
import { setUpSettings } from '@stoa/system/settings/set-up-settings';

interface Step {
  run: (parts: PartsDescription) => Promise<unknown>;
  /** The secrets it works with; a step is given no others in Kubernetes. */
  secrets: RegExp;
}

const steps: Record<string, Step> = {
  postgres: { run: provision.postgres, secrets: /^POSTGRES_/ },
  nats: { run: provision.nats, secrets: /^NATS_PROVISION_/ },
  minio: { run: provision.minio, secrets: /^(MINIO|S3)_/ },
  keycloak: { run: provision.keycloak, secrets: /^KEYCLOAK_/ },
  migrations: { run: applyMigrations, secrets: /^POSTGRES_MIGRATION_PASSWORD$/ },
};

/**
 * Prepares parts that run elsewhere, or only those that are named: inside docker compose and Kubernetes their
 * names are their addresses, unless a variable says otherwise.
 */
export async function setUp(only: string[] = []): Promise<number> {
  const unknown = only.filter((name) => !(name in steps));
  if (unknown.length > 0)
    throw new Problem(
      `There is no step ${unknown.join(', ')}: name some of ${Object.keys(steps).join(', ')}.`,
    );
  const parts = describe(process.env);
  for (const [name, { run, secrets }] of Object.entries(steps)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const secret of secretNames) if (secrets.test(secret)) requireSecret(process.env as Secrets, secret);
    console.log(`${name}: ${(await run(parts)) ?? 'ready'}`);
  }
  return 0;
}

async function applyMigrations(parts: PartsDescription): Promise<string> {
  const migrated = await migrateAll(parts);
  return migrated.length > 0 ? `applied for ${migrated.join(', ')}` : 'up to date';
}

function describe(env: NodeJS.ProcessEnv): PartsDescription {
  // Of older installations; a new one has no such secrets.
  const names = [...secretNames, ...formerSecretNames];
  const secrets: Secrets = Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
  const settings = setUpSettings(env);
  const parts = describeParts(defaultPorts(), secrets, {
    postgres: settings.POSTGRES_ADDRESS,
    nats: 'nats:4222',
    minio: 'minio:9000',
    keycloak: 'keycloak:8080',
    smtp: 'mail:1025',
    mail: 'mail:8025',
  });
  const withOptions = (url: string) => `${url}${settings.POSTGRES_OPTIONS}`;
  const { adminUrl, urls, migrationUrls } = parts.postgres;
  const allWithOptions = <T extends Record<string, string>>(all: T) =>
    Object.fromEntries(Object.entries(all).map(([name, url]) => [name, withOptions(url)])) as T;
  return {
    ...parts,
    postgres: {
      adminUrl: withOptions(adminUrl),
      urls: allWithOptions(urls),
      migrationUrls: allWithOptions(migrationUrls),
    },
    nats: { ...parts.nats, url: settings.NATS_URL },
    minio: { ...parts.minio, endpoint: settings.S3_ENDPOINT },
    keycloak: { ...parts.keycloak, url: settings.KEYCLOAK_INTERNAL_URL },
  };
}
