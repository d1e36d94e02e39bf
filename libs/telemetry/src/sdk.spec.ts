import { expect, test } from '@jest/globals';
import { sdkDisabled } from './sdk.ts';

test.each(['true', 'TRUE', 'True'])('the SDK is disabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(true);
});

test.each([undefined, '', 'false', '1', 'yes'])('the SDK is enabled by OTEL_SDK_DISABLED=%s', (value) => {
  expect(sdkDisabled({ OTEL_SDK_DISABLED: value })).toBe(false);
});
