import type { Ports } from '../settings/ports.ts';

/** Of the gateway as in production, for drills and for tests of how long anybody waits. */
export const productionTimeouts = { PAGE_PATIENCE_MS: '200', READ_TIMEOUT_MS: '1400' } as const;

/** Of the gateway, in milliseconds: longer than in production, since a busy machine is no outage. */
const timeouts = { PAGE_PATIENCE_MS: '2000', READ_TIMEOUT_MS: '5000' } as const satisfies Record<
  keyof typeof productionTimeouts,
  string
>;

/** What the apps are told under test beside their addresses. */
export const testEnvironment = (ports: Ports): Record<string, string> => ({
  // Each test comes from an address of its own, as visitors do, so that they do not share their limits.
  TRUST_PROXY: '1',
  // Their pages and files all come from here, though.
  PAGE_LIMIT_PER_MINUTE: '60000',
  ...timeouts,
  // What is told of each request is a test's business.
  PUBLIC_READS_SAMPLED: '1',
  PUBLIC_READS_SAMPLED_PER_SECOND: '1000000',
  TRACED_READS_PER_SECOND: '100000',
  TRACED_WRITES_PER_SECOND: '100000',
  // Mail is retried sooner than in production.
  MAIL_RETRY_MS: '1000',
  // One host of all that links lead to, which a test may answer for. It is dead within seconds, and told at once.
  LINK_CHECK_TEST_HOSTS: `shop.example.com=127.0.0.1:${ports.links}`,
  LINK_CHECK_CANARIES: 'http://shop.example.com/canary',
  LINK_CHECK_CONFIRM_MS: '1000',
  LINK_CHECK_POLL_MS: '1000',
  LINK_CHECK_HOST_PAUSE_MS: '100',
  LINK_CHECK_TELL_AFTER_MS: '500',
  // A test that wants to see telemetry listens here; in the others nothing does.
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${ports.otlp}`,
  OTEL_BSP_SCHEDULE_DELAY: '250',
  OTEL_METRIC_EXPORT_INTERVAL: '2000',
  OTEL_METRIC_EXPORT_TIMEOUT: '1500',
});

/** The same for `npm run dev`, where nothing listens to telemetry: each restart would wait to send the last of it. */
export const developmentEnvironment = (ports: Ports): Record<string, string> =>
  Object.fromEntries(Object.entries(testEnvironment(ports)).filter(([name]) => !name.startsWith('OTEL_')));
