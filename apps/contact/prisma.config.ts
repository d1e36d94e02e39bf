import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(
  new URL('../../tools/prisma/schema-engine.mjs', import.meta.url),
);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Generating the client and validating the schema need no database.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://127.0.0.1:1/none' },
});
