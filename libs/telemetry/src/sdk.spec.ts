import { afterEach, expect, test } from '@jest/globals';
import { flushTelemetry, sdkDisabled, started } from './sdk.ts';

const { flush } = started;
afterEach(() => {
  started.flush = flush;
});

test.each(['true', 'TRUE', 'True'])('the SDK is disabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(true);
});

test.each([undefined, '', 'false', '1', 'yes'])('the SDK is enabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(false);
});

test.each([
  ['is away', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ['takes the connection and says nothing', () => new Promise<void>(() => undefined)],
])('a stop goes on where the collector %s', async (_, failing) => {
  started.flush = failing;
  await expect(flushTelemetry()).resolves.toBeUndefined();
});
