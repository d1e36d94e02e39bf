import type { Span } from './telemetry-receiver.ts';

/** The browser, as far as a trace knows it: the span that its request names. */
export interface Origin {
  readonly traceId: string;
  readonly spanId: string;
}

const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');

/** A trace as the SPA begins it. */
export const newOrigin = (): Origin => ({ traceId: hex(16), spanId: hex(8) });
export const traceparentOf = ({ traceId, spanId }: Origin): string => `00-${traceId}-${spanId}-01`;

/** What a span is called in the tables of the tests: its process, and what it does. */
export function labelOf({ service, kind, name, attributes }: Span): string {
  if (attributes['db.system.name'] === 'postgresql') return `${service} postgres`;
  if (kind === 'client' && attributes['rpc.method']) return `${service} asks ${name}`;
  if (kind === 'client' && attributes['url.full']) return `${service} ${outsideOf(attributes['url.full'])}`;
  return `${service} ${name}`;
}

const outsideOf = (url: unknown) => (String(url).includes('/realms/') ? 'keycloak' : 's3');

/**
 * Every path from the browser down to a last span, each once: `browser > gateway GET /api/me > …`. A link is
 * followed like an edge and written `~>`.
 */
export function tracePaths(spans: readonly Span[], origin: Origin): Set<string> {
  const paths = new Set<string>();
  const follow = (path: string, { traceId, spanId }: Origin) => {
    const inside = spans.filter((span) => span.traceId === traceId && span.parentId === spanId);
    const linked = spans.filter((span) => span.links.some((link) => link.spanId === spanId));
    if (inside.length + linked.length === 0) paths.add(path);
    for (const span of inside) follow(stepped(path, labelOf(span)), span);
    for (const span of linked) follow(`${path} ~> ${labelOf(span)}`, span);
  };
  follow('browser', origin);
  return paths;
}

// A pool that opens a connection is a span within a span; it stays one step.
const stepped = (path: string, label: string) => (path.endsWith(` ${label}`) ? path : `${path} > ${label}`);

/** Spans that no path from the browser reaches: a trace with one of these is not whole. */
export function orphanSpans(spans: readonly Span[], origin: Origin): string[] {
  const known = new Set([origin.spanId, ...spans.map(({ spanId }) => spanId)]);
  return spans
    .filter(({ parentId, links }) => !known.has(parentId) && !links.some(({ spanId }) => known.has(spanId)))
    .map(labelOf);
}
