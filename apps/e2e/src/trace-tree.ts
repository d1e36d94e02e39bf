import type { Span } from './telemetry-receiver.ts';

/** The span of the browser, which the request names as its parent. */
export interface Origin {
  readonly traceId: string;
  readonly spanId: string;
}

const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');

/** Makes the ids of a new trace, as the web app does. */
export const newOrigin = (): Origin => ({ traceId: hex(16), spanId: hex(8) });
export const traceparentOf = ({ traceId, spanId }: Origin): string => `00-${traceId}-${spanId}-01`;

/** Names a span by its process and operation, for the tables of the tests. */
export function labelOf({ service, kind, name, attributes }: Span): string {
  if (attributes['db.system.name'] === 'postgresql') return `${service} postgres`;
  if (kind === 'client' && attributes['rpc.method']) return `${service} asks ${name}`;
  if (kind === 'client' && attributes['url.full']) return `${service} ${outsideOf(attributes['url.full'])}`;
  return `${service} ${name}`;
}

const outsideOf = (url: unknown) => (String(url).includes('/realms/') ? 'keycloak' : 's3');

/**
 * All paths from the browser to a last span: `browser > gateway GET /api/me > …`. A link to another trace is written as `~>`.
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

// A span with the same label as its parent counts as one step, such as the opening of a database connection.
const stepped = (path: string, label: string) => (path.endsWith(` ${label}`) ? path : `${path} > ${label}`);

/** Spans that no path from the browser reaches: their trace is incomplete. */
export function orphanSpans(spans: readonly Span[], origin: Origin): string[] {
  const known = new Set([origin.spanId, ...spans.map(({ spanId }) => spanId)]);
  return spans
    .filter(({ parentId, links }) => !known.has(parentId) && !links.some(({ spanId }) => known.has(spanId)))
    .map(labelOf);
}
