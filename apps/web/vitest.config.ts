import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@stoa/source'] },
  test: {
    // A first render loads lazy chunks, on cores that build and lint beside it.
    testTimeout: 30_000,
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080' } },
    setupFiles: './vitest.setup.ts',
    restoreMocks: true,
    // Where docs/asvs.md has its tests looked up.
    reporters: ['default', ['json', { outputFile: '.reports/unit.json' }]],
  },
});
