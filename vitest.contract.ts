import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.shared.ts';

/** For tests through the contract: the real parts are there before the first one starts. */
export default mergeConfig(
  shared,
  defineConfig({
    test: { globalSetup: fileURLToPath(new URL('libs/testing/src/start-parts.ts', import.meta.url)) },
  }),
);
