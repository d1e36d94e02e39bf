import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(
  new URL('../../tools/prisma/schema-engine.mjs', import.meta.url),
);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `prisma generate` and `prisma validate` need no database, so this address may lead nowhere.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://127.0.0.1:1/none' },
});
