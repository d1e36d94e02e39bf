import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// Services log nothing in tests, unless the environment sets a level.
process.env.LOG_LEVEL ??= 'silent';

mkdirSync('.reports', { recursive: true });

/** The Jest configuration of all workspaces: ES modules, libraries from source, decorators with metadata. */
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
  // Starting a service on a new database takes seconds when every core is busy.
  testTimeout: 60_000,
  // A failed test may leave a service running. Unit tests start none and must end by themselves.
  forceExit: process.env.npm_lifecycle_event !== 'unit',
  // Among three thousand tests on real parts one may hit a stalled machine. A whole run repeats its file and reports that.
  ...(process.env.STOA_TEST_RETRIES && { runner: at('libs/system/src/testing/retrying-runner.ts') }),
  globalTeardown: at('libs/system/src/testing/stop-parts.ts'),
  // The check of the tests that docs/evidence cites reads these reports after the run.
  outputFile: `.reports/${process.env.npm_lifecycle_event ?? 'jest'}.json`,
};
