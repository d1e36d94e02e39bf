import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordHttpRequest } from './http-requests.ts';
import { isIncomingUnobserved, unobserveIncoming } from './unobserved-http.ts';

class Reader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

const reader = new Reader();
beforeAll(() => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});
afterAll(() => metrics.disable());

test('a request without instrumentation counts in the histogram of all requests', async () => {
  const request = {
    method: 'GET',
    scheme: 'http',
    route: '/api/creators/:username',
    version: '1.1',
  } as const;
  recordHttpRequest({ ...request, status: 200, since: performance.now() - 1000 });
  recordHttpRequest({ ...request, status: 503, since: performance.now() });
  const { resourceMetrics } = await reader.collect();
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  const found = all.find(({ descriptor }) => descriptor.name === 'http.server.request.duration');
  const labels = {
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'http.route': '/api/creators/:username',
  };
  expect(found?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { ...labels, 'http.response.status_code': 200 },
    { ...labels, 'http.response.status_code': 503, 'error.type': '503' },
  ]);
  expect(found?.dataPoints[0]?.value).toMatchObject({ count: 1 });
});

test('each server chooses which of its requests are not observed', () => {
  const [one, other] = [{}, {}] as IncomingMessage[];
  unobserveIncoming((request) => request === one);
  unobserveIncoming(() => false);
  expect([one, other].map((request) => isIncomingUnobserved(request!))).toEqual([true, false]);
});
