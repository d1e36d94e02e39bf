import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@stoa/source'] },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080' } },
    setupFiles: './vitest.setup.ts',
    restoreMocks: true,
  },
});
