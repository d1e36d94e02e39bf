import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import protobuf from 'protobufjs';
import { otlpProto } from './otlp-proto.ts';

type Value = string | number | boolean | readonly Value[];
type Attributes = Readonly<Record<string, Value | undefined>>;

export interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Attributes;
  readonly events: readonly { name: string; attributes: Attributes }[];
  readonly links: readonly { traceId: string; spanId: string }[];
  readonly failed: boolean;
}

export interface Point {
  readonly service: string;
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'counter' | 'histogram';
  readonly attributes: Attributes;
  /** The value, or the count of a histogram. */
  readonly value: number;
  /** Bounds of a histogram; empty for other metrics. */
  readonly bounds: readonly number[];
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const errorStatus = 2;
const { root } = protobuf.parse(otlpProto);
const inflate = promisify(gunzip);

/** Receives OpenTelemetry data (OTLP over HTTP) and records it for tests. */
export class TelemetryReceiver {
  readonly spans: Span[] = [];
  /** The last value of each time series. */
  readonly points = new Map<string, Point>();
  /** Number of metric exports received. */
  exports = 0;
  readonly #server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? await inflate(sent) : sent;
      if (request.url === '/v1/traces') this.spans.push(...spansOf(decode('TraceRequest', body)));
      if (request.url === '/v1/metrics') {
        this.#keep(pointsOf(decode('MetricsRequest', body)));
        this.exports += 1;
      }
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    })().catch((error: unknown) => response.writeHead(400).end(String(error)));
  });

  /** @param port 0 chooses a free port */
  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The spans of a trace and of all traces that are linked to it. */
  trace(traceId: string): Span[] {
    const wanted = new Set([traceId]);
    let before = 0;
    // Repeats until it finds no further trace, because a handler of an event may publish more events.
    while (wanted.size > before) {
      before = wanted.size;
      for (const { traceId: own, links } of this.spans) {
        if (links.some((link) => wanted.has(link.traceId))) wanted.add(own);
      }
    }
    return this.spans.filter((span) => wanted.has(span.traceId));
  }

  #keep(points: Point[]): void {
    for (const point of points) {
      this.points.set(JSON.stringify([point.service, point.name, point.attributes]), point);
    }
  }
}

// Types of OTLP messages after protobufjs has decoded them. They contain only the fields that the tests read.
interface WireValue {
  value?: string;
  stringValue?: string;
  boolValue?: boolean;
  intValue?: number;
  doubleValue?: number;
  arrayValue?: { values: WireValue[] };
}
type WireAttributes = { key: string; value: WireValue }[];
interface Wired {
  resource: { attributes: WireAttributes };
}
interface TraceRequest {
  resourceSpans: (Wired & { scopeSpans: { spans: WireSpan[] }[] })[];
}
interface WireSpan {
  traceId: Buffer;
  spanId: Buffer;
  parentSpanId: Buffer;
  name: string;
  startTimeUnixNano: number;
  kind: number;
  attributes: WireAttributes;
  events: { name: string; attributes: WireAttributes }[];
  links: { traceId: Buffer; spanId: Buffer }[];
  status?: { code: number };
}
interface MetricsRequest {
  resourceMetrics: (Wired & { scopeMetrics: { metrics: WireMetric[] }[] })[];
}
interface WirePoint {
  attributes: WireAttributes;
  asInt?: number;
  asDouble?: number;
  count?: number;
  explicitBounds?: number[];
}
interface WireMetric {
  name: string;
  unit: string;
  gauge?: { dataPoints: WirePoint[] };
  sum?: { dataPoints: WirePoint[]; isMonotonic: boolean };
  histogram?: { dataPoints: WirePoint[] };
}

function decode<T>(type: string, body: Buffer): T {
  const message = root.lookupType(type);
  return message.toObject(message.decode(body), { longs: Number, arrays: true, bytes: Buffer }) as T;
}

const hex = (bytes: Buffer | undefined) => Buffer.from(bytes ?? []).toString('hex');
const valueOf = ({ stringValue, boolValue, intValue, doubleValue, arrayValue }: WireValue): Value =>
  stringValue ?? boolValue ?? intValue ?? doubleValue ?? arrayValue?.values.map(valueOf) ?? '';
const attributesOf = (list: WireAttributes): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, valueOf(value ?? {})]));
const serviceOf = ({ resource }: Wired) => String(attributesOf(resource.attributes)['service.name']);

function spansOf({ resourceSpans }: TraceRequest): Span[] {
  return resourceSpans.flatMap((group) =>
    group.scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        service: serviceOf(group),
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: hex(span.parentSpanId),
        name: span.name,
        startedAt: span.startTimeUnixNano / 1e6,
        kind: kinds[span.kind] ?? 'internal',
        attributes: attributesOf(span.attributes),
        events: span.events.map(({ name, attributes }) => ({ name, attributes: attributesOf(attributes) })),
        links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        failed: span.status?.code === errorStatus,
      })),
  );
}

function pointsOf({ resourceMetrics }: MetricsRequest): Point[] {
  return resourceMetrics.flatMap((group) =>
    group.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap(({ name, unit, gauge, sum, histogram }) => {
        const kind = gauge ? 'gauge' : histogram ? 'histogram' : sum?.isMonotonic ? 'counter' : 'sum';
        return (gauge ?? sum ?? histogram)?.dataPoints.map((point) => ({
          service: serviceOf(group),
          name,
          unit,
          kind,
          attributes: attributesOf(point.attributes),
          value: point.count ?? point.asInt ?? point.asDouble ?? 0,
          bounds: point.explicitBounds ?? [],
        })) as Point[];
      }),
  );
}
