import { migrateAll } from '../apps/migrate.ts';
import { provision } from '../provision/provision.ts';
import { describeParts } from '../settings/description.ts';
import { defaultPorts } from '../settings/ports.ts';
import type { Secrets } from '../settings/secrets.ts';

/** Prepares parts that run elsewhere: inside docker compose their names are their addresses. */
export async function setUp(): Promise<number> {
  const parts = describeParts(defaultPorts(), process.env as Secrets, {
    postgres: 'postgres:5432',
    nats: 'nats:4222',
    minio: 'minio:9000',
    keycloak: 'keycloak:8080',
    smtp: 'mail:1025',
    mail: 'mail:8025',
  });
  for (const [name, step] of Object.entries(provision)) {
    await step(parts);
    console.log(`${name}: ready`);
  }
  const migrated = await migrateAll(parts);
  console.log(migrated.length > 0 ? `migrated ${migrated.join(', ')}` : 'migrations: up to date');
  return 0;
}
