import { migrateAll } from '@stoa/system/apps/migrate';
import { Problem } from '@stoa/system/problem';
import { provision } from '@stoa/system/provision/provision';
import type { PartsDescription } from '@stoa/system/settings/parts-description';
import { requireSecret, secretNames, type Secrets } from '@stoa/system/settings/secrets';
import { externalParts } from './described-parts.ts';

interface Step {
  run: (parts: PartsDescription) => Promise<unknown>;
  /** The secrets that the step needs; in Kubernetes it gets no others. */
  secrets: RegExp;
}

const steps: Record<string, Step> = {
  postgres: { run: provision.postgres, secrets: /^POSTGRES_/ },
  nats: { run: provision.nats, secrets: /^NATS_PROVISION_/ },
  minio: { run: provision.minio, secrets: /^(MINIO|S3)_/ },
  keycloak: { run: provision.keycloak, secrets: /^KEYCLOAK_/ },
  migrations: { run: applyMigrations, secrets: /^POSTGRES_MIGRATION_PASSWORD$/ },
};

/** Sets up parts that run elsewhere, by default all of them. */
export async function setUp(only: string[] = []): Promise<number> {
  const unknown = only.filter((name) => !(name in steps));
  if (unknown.length > 0)
    throw new Problem(
      `There is no step ${unknown.join(', ')}: name some of ${Object.keys(steps).join(', ')}.`,
    );
  const parts = externalParts(process.env);
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
