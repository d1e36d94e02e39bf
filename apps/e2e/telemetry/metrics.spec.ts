import { readJourneys } from '@stoa/slo';
import { durationBounds, everyMetric, libraryMetrics, metrics } from '@stoa/telemetry';
import { operations } from '../src/operations.ts';
import type { Point, TelemetryReceiver } from '../src/telemetry-receiver.ts';
import { expect, test } from '../src/telemetry-test.ts';

let receiver: TelemetryReceiver;

test.beforeAll(({ receiver: shared, story: _ }) => {
  receiver = shared;
});

const pointsOf = (name: string) => [...receiver.points.values()].filter((point) => point.name === name);
const seen = (name: string, has: (point: Point) => boolean = () => true) =>
  expect.poll(() => pointsOf(name).some(has), { timeout: 45_000 });
const kindOf = { counter: 'counter', histogram: 'histogram', upDown: 'sum', gauge: 'gauge' } as const;
// These metrics count failures, repairs and backups, so this test cannot expect values of them.
const quiet = new Set<string>([
  metrics.backupTime.name,
  metrics.retentionTime.name,
  metrics.eventsDead.name,
  metrics.eventsDropped.name,
  metrics.countsMended.name,
  metrics.requestsLate.name,
  metrics.requestsOverran.name,
  metrics.answersLate.name,
]);

test('every declared metric is exported with its kind, unit and attributes', async () => {
  for (const { name, kind, unit, attributes } of everyMetric.filter((metric) => !quiet.has(metric.name))) {
    await seen(name).toBe(true);
    for (const point of pointsOf(name)) {
      expect(point, name).toMatchObject({ kind: kindOf[kind], unit });
      expect(attributes, name).toEqual(expect.arrayContaining(Object.keys(point.attributes)));
    }
  }
});

test('the latency objective of every journey is a histogram boundary', async () => {
  const { name } = libraryMetrics.httpServerDuration;
  const isGateways = ({ service }: Point) => service === 'gateway';
  await seen(name, isGateways).toBe(true);
  for (const { bounds } of pointsOf(name).filter(isGateways)) {
    for (const { name: journey, seconds } of readJourneys()) expect(bounds, journey).toContain(seconds);
  }
});

test('every histogram of Stoa has the declared boundaries', async () => {
  for (const { name } of Object.values(metrics).filter(({ kind }) => kind === 'histogram')) {
    await seen(name).toBe(true);
    for (const { bounds } of pointsOf(name)) expect(bounds, name).toEqual([...durationBounds]);
  }
});

test('metrics have no personal data, and route templates instead of paths', async () => {
  await seen('http.server.request.duration').toBe(true);
  const told = [...receiver.points.values()].flatMap(({ attributes }) =>
    Object.values(attributes).map(String),
  );
  expect(told.filter((value) => /@|nomvula|[0-9a-f]{8}-[0-9a-f]{4}-|[?&=]/.test(value))).toEqual([]);
  const routes = new Set(
    pointsOf('http.server.request.duration').map(({ attributes }) => attributes['http.route']),
  );
  expect(routes).toContain('/api/creators/:username');
  // The number of series depends on the declared routes, not on the requested paths.
  const declared = operations().map((operation) => operation.split(' ')[1]);
  // The rest are the edge's own routes and the proxied ones of Keycloak and MinIO.
  const others = [...routes].filter((route) => !declared.includes(String(route)));
  expect(others.length).toBeLessThan(20);
});

test('sign-ups, offerings, uploads, cards and messages are counted', async () => {
  const total = (name: string) => pointsOf(name).reduce((sum, { value }) => sum + value, 0);
  for (const metric of [
    metrics.creatorsOpened,
    metrics.pagesReported,
    metrics.offeringsPublished,
    metrics.uploadsCompleted,
    metrics.cardsDrawn,
    metrics.contactReceived,
    metrics.contactMailed,
  ]) {
    await seen(metric.name, ({ value }) => value > 0).toBe(true);
    expect(Number.isInteger(total(metric.name))).toBe(true);
  }
});
