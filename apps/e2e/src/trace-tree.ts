import type { Span } from './telemetry-receiver.ts';

/** The browser's span, which the request names as its parent. */
export interface Origin {
  readonly traceId: string;
  readonly spanId: string;
}

const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');

/** Ids of a new trace, like those of the web app. */
export const newOrigin = (): Origin => ({ traceId: hex(16), spanId: hex(8) });
export const traceparentOf = ({ traceId, spanId }: Origin): string => `00-${traceId}-${spanId}-01`;

/** The label of a span in test tables: its process and operation. */
export function labelOf({ service, kind, name, attributes }: Span): string {
  if (attributes['db.system.name'] === 'postgresql') return `${service} postgres`;
  if (kind === 'client' && attributes['rpc.method']) return `${service} asks ${name}`;
  if (kind === 'client' && attributes['url.full']) return `${service} ${outsideOf(attributes['url.full'])}`;
  return `${service} ${name}`;
}

const outsideOf = (url: unknown) => (String(url).includes('/realms/') ? 'keycloak' : 's3');

/**
 * All distinct paths from the browser to a leaf span: `browser > gateway GET /api/me > …`. Links are
 * followed like edges and written as `~>`.
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

// Opening a connection of a pool creates a nested span with the same label, which counts as one step.
const stepped = (path: string, label: string) => (path.endsWith(` ${label}`) ? path : `${path} > ${label}`);

/** Spans without a path from the browser, which indicate an incomplete trace. */
export function orphanSpans(spans: readonly Span[], origin: Origin): string[] {
  const known = new Set([origin.spanId, ...spans.map(({ spanId }) => spanId)]);
  return spans
    .filter(({ parentId, links }) => !known.has(parentId) && !links.some(({ spanId }) => known.has(spanId)))
    .map(labelOf);
}
