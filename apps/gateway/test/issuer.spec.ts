import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { GatewayUnderTest } from './gateway-under-test.ts';

const telemetry = await import('@stoa/telemetry');
const { metrics } = telemetry;
const observe = jest.fn(telemetry.observe);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, observe }));
const { startGatewayUnderTest } = await import('./gateway-under-test.ts');

let gateway: GatewayUnderTest;
/** Reads the metric, as an export does. */
let reachable: (() => unknown) | undefined;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  reachable = observe.mock.calls.find(([metric]) => metric === metrics.issuerReachable)?.[1];
});
afterAll(() => gateway.stop());

test('an outage of the token issuer shows in a metric', async () => {
  expect(await reachable?.()).toBe(1);
  gateway.loseKeys();
  expect(await reachable?.()).toBe(0);
});
