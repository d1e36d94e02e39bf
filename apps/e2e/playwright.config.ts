import { defineConfig } from '@playwright/test';
import { launchOptions } from './src/chromium.ts';
import type { EngineOptions } from './src/engines/engine-test.ts';
import { attach, isDevelopment, siteUrl } from './src/system.ts';

/** Folders for the report and other output. `npm test` sets them, because it starts several runs one after the other. */
const { STOA_E2E_REPORT: report, STOA_E2E_OUTPUT: output, STOA_TEST_RETRIES: retries } = process.env;

attach();

const drillsOf = (folder: string) => `../../tools/drills/${folder}`;

/** Drills stop parts of the system, so no other test may run at the same time. */
const drills = [
  {
    name: 'spec-outages',
    testDir: 'spec/outages',
    dependencies: ['api', 'journeys', 'looks', 'spec', 'firefox', 'webkit'],
    workers: 1,
    fullyParallel: false,
  },
  {
    name: 'faults',
    testDir: drillsOf('faults'),
    dependencies: ['spec-outages'],
    workers: 1,
    fullyParallel: false,
    timeout: 120_000,
  },
  // Needs a system with small disks; on other systems these tests are skipped.
  { name: 'full-disks', testDir: drillsOf('full-disks'), workers: 1, fullyParallel: false, timeout: 180_000 },
  // Comes last, because it also checks the log lines of all earlier tests.
  {
    name: 'telemetry',
    testDir: 'telemetry',
    dependencies: ['faults'],
    workers: 1,
    fullyParallel: false,
    timeout: 120_000,
  },
];

export default defineConfig<object, EngineOptions>({
  globalSetup: './src/global-setup.ts',
  outputDir: output ?? 'test-results',
  preserveOutput: 'failures-only',
  reporter: [
    ['list'],
    ['./src/spec-table.reporter.ts'],
    ...(report ? [['json', { outputFile: report }] as const] : []),
  ],
  // Three workers on two cores, because tests often wait for pages and mails.
  workers: 3,
  fullyParallel: true,
  // `npm test` sets the number of retries, and reports tests that needed one as flaky.
  retries: Number(retries ?? 0),
  // A forgotten `test.only` would skip all other tests.
  forbidOnly: Boolean(process.env.CI ?? report),
  // In milliseconds. A test loads several pages without caches, while the whole system runs on the same two cores.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: siteUrl(),
    launchOptions: launchOptions(),
    actionTimeout: 15_000,
    // Screenshots of all actions are slow. `npm test` keeps only one, of the failure.
    trace: { mode: 'retain-on-failure', screenshots: !report, snapshots: !report, sources: false },
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    { name: 'api', testDir: 'api' },
    { name: 'journeys', testDir: 'journeys' },
    { name: 'looks', testDir: 'looks' },
    { name: 'spec', testDir: 'spec', testIgnore: '**/outages/**' },
    // These engines need more than Chromium: each worker starts its own browser, and WebKit needs a virtual screen.
    { name: 'firefox', testDir: 'engines', use: { engineName: 'Firefox' } },
    { name: 'webkit', testDir: 'engines', use: { engineName: 'WebKit' } },
    ...(isDevelopment() ? [] : drills),
  ],
});
