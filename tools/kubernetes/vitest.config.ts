import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      // kubectl starts for every set of objects, Prisma five times at once: on busy cores that takes its time.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  }),
);
