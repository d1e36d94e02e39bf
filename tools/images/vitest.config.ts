import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: fileURLToPath(new URL('test/start-parts.ts', import.meta.url)),
      // Copying an app's packages and starting it, on two busy cores.
      testTimeout: 120_000,
    },
  }),
);
