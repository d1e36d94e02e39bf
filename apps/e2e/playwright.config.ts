import { defineConfig } from '@playwright/test';
import { launchOptions } from './src/chromium.ts';
import type { EngineOptions } from './src/engines/engine-test.ts';
import { attach, isDevelopment, siteUrl } from './src/system.ts';

/** Where `npm test` wants a run's report and what failing tests leave; it makes one run after the other. */
const { STOA_E2E_REPORT: report, STOA_E2E_OUTPUT: output, STOA_TEST_RETRIES: retries } = process.env;

attach();

/** These take the system apart, so nothing else runs beside them. */
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
    testDir: 'faults',
    dependencies: ['spec-outages'],
    workers: 1,
    fullyParallel: false,
    timeout: 120_000,
  },
  // On a system of its own, whose disks are small; skipped on any other.
  { name: 'full-disks', testDir: 'full-disks', workers: 1, fullyParallel: false, timeout: 180_000 },
  // Last: it also reads what every test before it made the apps log.
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
  // On two cores a third finds work while the others wait for pages and for mail.
  workers: 3,
  fullyParallel: true,
  // Reported as flaky by `npm test`; a run by hand has none.
  retries: Number(retries ?? 0),
  // A row left alone there would pass for all of them.
  forbidOnly: Boolean(process.env.CI ?? report),
  // A journey crosses several pages, each of which may start cold; two cores run the whole system beside it.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: siteUrl(),
    launchOptions: launchOptions(),
    actionTimeout: 15_000,
    // Pictures of every action cost a good part of a run's time; one of the failure does not.
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
    // Every worker starts a browser of its own, and for WebKit a screen.
    { name: 'firefox', testDir: 'engines', use: { engineName: 'Firefox' } },
    { name: 'webkit', testDir: 'engines', use: { engineName: 'WebKit' } },
    ...(isDevelopment() ? [] : drills),
  ],
});
