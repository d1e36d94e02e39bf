import { afterEach, expect, test } from '@jest/globals';
import { flushTelemetry, sdkDisabled, sdk } from './sdk.ts';

const { flush } = sdk;
afterEach(() => {
  sdk.flush = flush;
});

test.each(['true', 'TRUE', 'True'])('the SDK is disabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(true);
});

test.each([undefined, '', 'false', '1', 'yes'])('the SDK is enabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(false);
});

test.each([
  ['is unavailable', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ['takes the connection and does not respond', () => new Promise<void>(() => undefined)],
])('a stop is not delayed when the collector %s', async (_, failing) => {
  sdk.flush = failing;
  await expect(flushTelemetry()).resolves.toBeUndefined();
});
