import { type Context, createContextKey } from '@opentelemetry/api';

const key = createContextKey('stoa.child-spans');

/** Whether a span of ours was begun below another. */
export interface ChildSpans {
  begun: boolean;
}

/** A context below which `childSpans` notes the first span that begins. */
export const trackChildSpans = (parent: Context, childSpans: ChildSpans): Context =>
  parent.setValue(key, childSpans);

/** Notes that a span begins with `parent` as its parent, where somebody wants to know. */
export function noteChildSpan(parent: Context): void {
  const childSpans = parent.getValue(key) as ChildSpans | undefined;
  if (childSpans) childSpans.begun = true;
}
