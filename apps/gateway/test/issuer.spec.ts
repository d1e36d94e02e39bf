import { metrics, observe } from '@stoa/telemetry';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

vi.mock(import('@stoa/telemetry'), { spy: true });

let gateway: GatewayUnderTest;
/** What one export of metrics says. */
let reachable: (() => unknown) | undefined;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  reachable = vi.mocked(observe).mock.calls.find(([metric]) => metric === metrics.issuerReachable)?.[1];
});
afterAll(() => gateway.stop());

test('an issuer that goes away is measured', async () => {
  expect(await reachable?.()).toBe(1);
  gateway.loseKeys();
  expect(await reachable?.()).toBe(0);
});
