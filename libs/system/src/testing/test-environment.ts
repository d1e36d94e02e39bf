import type { Ports } from '../settings/ports.ts';

/** Production time limits of the gateway, for drills and for tests of waiting times. */
export const productionTimeouts = { PAGE_PATIENCE_MS: '200', READ_TIMEOUT_MS: '1400' } as const;

/**
 * Time limits of the gateway in milliseconds. They are longer than in production, since a busy machine is no
 * outage.
 */
const timeouts = { PAGE_PATIENCE_MS: '2000', READ_TIMEOUT_MS: '5000' } as const satisfies Record<
  keyof typeof productionTimeouts,
  string
>;

/** The environment of all apps in tests, besides addresses. */
export const testEnvironment = (ports: Ports): Record<string, string> => ({
  // Each test sends its own client address, so that tests do not share rate limits.
  TRUST_PROXY: '1',
  // All pages and files are requested from this machine's address.
  PAGE_LIMIT_PER_MINUTE: '60000',
  ...timeouts,
  // Tests read the telemetry of single requests, so none is sampled out.
  PUBLIC_READS_SAMPLED: '1',
  PUBLIC_READS_SAMPLED_PER_SECOND: '1000000',
  TRACED_READS_PER_SECOND: '100000',
  TRACED_WRITES_PER_SECOND: '100000',
  // A shorter interval than in production.
  MAIL_RETRY_MS: '1000',
  // One host of all links, for which a test may answer. Dead links are found and reported within seconds.
  LINK_CHECK_TEST_HOSTS: `shop.example.com=127.0.0.1:${ports.links}`,
  LINK_CHECK_CANARIES: 'http://shop.example.com/canary',
  LINK_CHECK_CONFIRM_MS: '1000',
  LINK_CHECK_POLL_MS: '1000',
  LINK_CHECK_HOST_PAUSE_MS: '100',
  LINK_CHECK_TELL_AFTER_MS: '500',
  // Tests that check telemetry listen at this address.
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${ports.otlp}`,
  OTEL_BSP_SCHEDULE_DELAY: '250',
  OTEL_METRIC_EXPORT_INTERVAL: '2000',
  OTEL_METRIC_EXPORT_TIMEOUT: '1500',
});

/**
 * The test settings for `npm run dev`, without telemetry: no process receives it there, so each restarting
 * app would wait to send the rest.
 */
export const developmentEnvironment = (ports: Ports): Record<string, string> =>
  Object.fromEntries(Object.entries(testEnvironment(ports)).filter(([name]) => !name.startsWith('OTEL_')));
