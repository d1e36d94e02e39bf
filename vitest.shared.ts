import { defineConfig } from 'vitest/config';

/** What every back-end workspace's tests share: libraries from source, decorators with their metadata. */
export default defineConfig({
  resolve: { conditions: ['@stoa/source', 'module', 'node'] },
  ssr: { resolve: { conditions: ['@stoa/source', 'module', 'node'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    environment: 'node',
    env: { LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    server: { deps: { inline: [/@stoa\//] } },
    // Starting a service on a fresh database takes seconds when every core is busy.
    hookTimeout: 60_000,
    testTimeout: 20_000,
    // What docs/asvs.md counts on is looked up there once everything has run.
    reporters: [
      'default',
      ['json', { outputFile: `.reports/${process.env.npm_lifecycle_event ?? 'vitest'}.json` }],
    ],
  },
});
