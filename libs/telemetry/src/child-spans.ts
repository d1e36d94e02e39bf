import { type Context, type Span, trace } from '@opentelemetry/api';

// Beside the spans, not in their contexts: each value of a context is a copy of all of its others.
const parents = new WeakSet<Span>();

/** Whether a span of ours was begun with this one as its parent. */
export const hasChildSpan = (span: Span): boolean => parents.has(span);

/** Notes that a span begins with that of `parent` as its parent. */
export function noteChildSpan(parent: Context): void {
  const span = trace.getSpan(parent);
  if (span) parents.add(span);
}
