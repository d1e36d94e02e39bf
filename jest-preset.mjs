import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// Services that tests start, in their own process or another, log nothing unless asked to.
process.env.LOG_LEVEL ??= 'silent';

mkdirSync('.reports', { recursive: true });

/** What every workspace's tests share: ES modules, libraries from source, decorators with their metadata. */
export default {
  cacheDirectory: at('node_modules/.cache/jest'),
  testMatch: ['<rootDir>/{src,test}/**/*.{spec,test}.{ts,tsx}'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      fileURLToPath(import.meta.resolve('@swc/jest')),
      {
        swcrc: false,
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true, decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            verbatimModuleSyntax: true,
            react: { runtime: 'automatic' },
          },
        },
      },
    ],
  },
  testEnvironment: fileURLToPath(import.meta.resolve('jest-environment-node')),
  testEnvironmentOptions: { customExportConditions: ['@stoa/source', 'node', 'node-addons'] },
  // Starting a service on a fresh database takes seconds when every core is busy.
  testTimeout: 60_000,
  // A test that fails may leave the service running that it started. Unit tests start none, and must end by themselves.
  forceExit: process.env.npm_lifecycle_event !== 'unit',
  // Of three thousand tests on real parts one may meet a machine that stalls: a whole run tries its file again and says so.
  ...(process.env.STOA_TEST_RETRIES && { runner: at('libs/system/src/testing/retrying-runner.ts') }),
  globalTeardown: at('libs/system/src/testing/stop-parts.ts'),
  // What docs/asvs.md counts on is looked up there once everything has run.
  outputFile: `.reports/${process.env.npm_lifecycle_event ?? 'jest'}.json`,
};
