import { defineConfig } from '@playwright/test';
import { launchOptions } from './src/chromium.ts';
import { siteUrl } from './src/system.ts';

export default defineConfig({
  globalSetup: './src/global-setup.ts',
  // The run of `npm test` keeps everything in its own temporary folder.
  outputDir: process.env.STOA_E2E_OUTPUT ?? 'test-results',
  reporter: [
    ['list'],
    ['./src/spec-table.reporter.ts'],
    ...(process.env.STOA_E2E_OUTPUT ? [['json', { outputFile: '.reports/e2e.json' }] as const] : []),
  ],
  workers: 2,
  fullyParallel: true,
  // `npm test` names the folder. A row left alone there would pass for all of them.
  forbidOnly: Boolean(process.env.CI ?? process.env.STOA_E2E_OUTPUT),
  // A journey crosses several pages, each of which may start cold; two cores run the whole system beside it.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: siteUrl(),
    launchOptions: launchOptions(),
    actionTimeout: 15_000,
    // `npm test` removes its output with everything else it made, and recording costs a good part of its time.
    trace: process.env.STOA_E2E_OUTPUT ? 'off' : 'retain-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    { name: 'api', testDir: 'api' },
    { name: 'journeys', testDir: 'journeys' },
    { name: 'looks', testDir: 'looks' },
    { name: 'spec', testDir: 'spec', testIgnore: '**/outages/**' },
    // These take the system apart, so nothing else runs beside them.
    {
      name: 'spec-outages',
      testDir: 'spec/outages',
      dependencies: ['api', 'journeys', 'looks', 'spec'],
      workers: 1,
      fullyParallel: false,
    },
    {
      name: 'faults',
      testDir: 'faults',
      dependencies: ['spec-outages'],
      workers: 1,
      fullyParallel: false,
      timeout: 120_000,
    },
    // Last: it also reads what every test before it made the apps log.
    {
      name: 'telemetry',
      testDir: 'telemetry',
      dependencies: ['faults'],
      workers: 1,
      fullyParallel: false,
      timeout: 120_000,
    },
  ],
});
