import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asHttpServer } from './http-requests.ts';
import { currentTraceId, withRequestSpan } from './messages.ts';

class Reader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

const exporter = new InMemorySpanExporter();
const reader = new Reader();
beforeAll(() => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
});
afterAll(() => {
  metrics.disable();
  context.disable();
  propagation.disable();
  trace.disable();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const request = {
  method: 'GET',
  scheme: 'http',
  route: '/api/creators/:username',
  path: '/api/creators/ada',
  headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  keptShare: 1,
} as const;

test.each([
  [200, SpanStatusCode.UNSET],
  [404, SpanStatusCode.UNSET],
  [503, SpanStatusCode.ERROR],
])('a request answered with %i leaves a server span in the trace of its headers', async (status, code) => {
  exporter.reset();
  let during: string | undefined;
  await asHttpServer(request, async () => {
    during = currentTraceId();
    return status;
  });
  expect(during).toBe(traceId);
  const [span] = exporter.getFinishedSpans();
  expect(span?.spanContext().traceId).toBe(traceId);
  expect([span?.name, span?.kind, span?.status.code]).toEqual([
    'GET /api/creators/:username',
    SpanKind.SERVER,
    code,
  ]);
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'url.path': '/api/creators/ada',
    'http.route': '/api/creators/:username',
    'http.response.status_code': status,
    ...(status === 503 ? { 'error.type': '503' } : {}),
  });
});

const find = { service: 'creators', name: 'find', subject: 'rpc.creators.find' };
const asking = async () => {
  await withRequestSpan(find, async () => undefined, String);
  return 200;
};

test.each([
  ['that shared the question of another leaves no span', async () => 200, []],
  ['that failed leaves a span', async () => 503, ['GET /api/creators/:username']],
  ['that asked leaves its spans', asking, ['creators/find', 'GET /api/creators/:username']],
])('with a share of 0 a request %s', async (_, work, left) => {
  exporter.reset();
  await asHttpServer({ ...request, keptShare: 0 }, work);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(left);
});

test('a request counts as active until it is answered, also by a failure', async () => {
  const active = async () => {
    const { resourceMetrics } = await reader.collect();
    const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    const found = all.find(({ descriptor }) => descriptor.name === 'http.server.active_requests');
    return found?.dataPoints.map(({ value }) => value);
  };
  const work = async () => {
    expect(await active()).toEqual([1]);
    throw new Error('no answer');
  };
  await expect(asHttpServer(request, work)).rejects.toThrow('no answer');
  expect(await active()).toEqual([0]);
});
