/**
 * The trace of one request. The browser creates it, so that a request without an answer can be traced too.
 */
export interface Trace {
  readonly id: string;
  /** The header that carries it (W3C Trace Context). */
  readonly traceparent: string;
}

export function newTrace(): Trace {
  const id = hex(16);
  return { id, traceparent: `00-${id}-${hex(8)}-01` };
}

function hex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
