import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(
  new URL('../../tools/prisma/schema-engine.mjs', import.meta.url),
);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `prisma generate` and `prisma validate` connect to no database, so a placeholder address is enough for
  // them.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://127.0.0.1:1/none' },
});
