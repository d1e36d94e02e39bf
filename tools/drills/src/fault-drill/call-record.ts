import type { RequestOptions } from '@stoa/e2e/api';
import { LoadBalancer } from './load-balancer.ts';

/** The kinds of calls: public reads, reads by the owner, writes, and probes whether a part is back. */
export type CallKind = 'read' | 'own read' | 'write' | 'probe';

export interface Call {
  readonly kind: CallKind;
  readonly what: string;
  /** The start of the call by `performance.now()`. */
  readonly began: number;
  readonly ms: number;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** Whether the caller got an expected answer. */
  readonly good: boolean;
  /** The detail of a failure. */
  readonly why?: string | undefined;
}

const name = (method: string, path: string) =>
  `${method} ${path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id').replace(/nomvula-\w+/, ':name')}`;

/** The options of a request for which some refusals are as good as a success. */
export interface ExpectingOptions extends RequestOptions {
  readonly expects?: readonly number[];
}

/** Sends requests to the site, and records their outcomes. */
export class CallRecord {
  readonly calls: Call[] = [];
  readonly #gateways: LoadBalancer;

  constructor(gateways = new LoadBalancer()) {
    this.#gateways = gateways;
  }

  /** Resolves to the answer with its body; undefined without an answer. */
  async ask(
    kind: CallKind,
    method: string,
    path: string,
    { expects, ...options }: ExpectingOptions = {},
  ): Promise<{ status: number; ok: boolean; text: string } | undefined> {
    return this.keep(kind, name(method, path), () => this.#gateways.ask(method, path, options), expects);
  }

  /** Like `ask`, for a call outside of the API. */
  async keep(
    kind: CallKind,
    what: string,
    call: () => Promise<Response>,
    expects: readonly number[] = [],
  ): Promise<{ status: number; ok: boolean; text: string } | undefined> {
    const began = performance.now();
    const add = (status: number, why?: string) =>
      this.calls.push({
        ...{ kind, what, began, status, why },
        ms: performance.now() - began,
        good: (status >= 200 && status < 400) || expects.includes(status),
      });
    try {
      const response = await call();
      const text = await response.text();
      add(response.status, response.ok ? undefined : detailOf(text));
      return { status: response.status, ok: response.ok, text };
    } catch (error) {
      add(0, error instanceof Error ? String(error.cause ?? error.name) : undefined);
      return undefined;
    }
  }
}

/** The detail of problem details, or the heading of an error page. */
function detailOf(text: string): string | undefined {
  const [, detail] = /"detail":"([^"]{1,100})/.exec(text) ?? /<h1[^>]*>([^<]{1,100})/.exec(text) ?? [];
  return detail;
}
