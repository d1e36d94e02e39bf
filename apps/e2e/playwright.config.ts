import { defineConfig } from '@playwright/test';
import { launchOptions } from './src/chromium.ts';
import type { EngineOptions } from './src/engines/engine-test.ts';
import { attach, isDevelopment, siteUrl } from './src/system.ts';

/** The paths of the report and the artifacts of `npm test`, which starts several runs in sequence. */
const { STOA_E2E_REPORT: report, STOA_E2E_OUTPUT: output, STOA_TEST_RETRIES: retries } = process.env;

attach();

const drillsOf = (folder: string) => `../../tools/drills/${folder}`;

/** Drills stop parts of the system, so no other tests run concurrently. */
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
  // Needs a separate system with small disks and is skipped on others.
  { name: 'full-disks', testDir: drillsOf('full-disks'), workers: 1, fullyParallel: false, timeout: 180_000 },
  // Last, because it also checks the log lines of all earlier tests.
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
  // On two cores a third worker uses the time in which the others wait for pages and mail.
  workers: 3,
  fullyParallel: true,
  // `npm test` sets retries and reports retried tests as flaky.
  retries: Number(retries ?? 0),
  // A forgotten `test.only` would hide all other tests.
  forbidOnly: Boolean(process.env.CI ?? report),
  // A journey loads several pages without a warm cache, while the same two cores run the whole system.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: siteUrl(),
    launchOptions: launchOptions(),
    actionTimeout: 15_000,
    // Screenshots of all actions are slow. The report of `npm test` has only one of the failure.
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
    // Each worker starts its own browser, and for WebKit a virtual screen.
    { name: 'firefox', testDir: 'engines', use: { engineName: 'Firefox' } },
    { name: 'webkit', testDir: 'engines', use: { engineName: 'WebKit' } },
    ...(isDevelopment() ? [] : drills),
  ],
});
