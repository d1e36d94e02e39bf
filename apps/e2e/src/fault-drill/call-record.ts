import type { RequestOptions } from '../api.ts';
import { LoadBalancer } from './load-balancer.ts';

/** What everybody reads, what only its owner reads, what changes something, and what asks whether a part is back. */
export type CallKind = 'read' | 'own read' | 'write' | 'probe';

export interface Call {
  readonly kind: CallKind;
  readonly what: string;
  /** By `performance.now()`. */
  readonly began: number;
  readonly ms: number;
  /** 0 where nothing answered. */
  readonly status: number;
  /** Whether it ended as who asked wants it to. */
  readonly good: boolean;
  /** What was said of a failure. */
  readonly why?: string | undefined;
}

const name = (method: string, path: string) =>
  `${method} ${path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id').replace(/nomvula-\w+/, ':name')}`;

/** A request of whose refusals some are as good an answer as success. */
export interface ExpectingOptions extends RequestOptions {
  readonly expects?: readonly number[];
}

/** Asks the site, and keeps how each call ended. */
export class CallRecord {
  readonly calls: Call[] = [];
  readonly #gateways: LoadBalancer;

  constructor(gateways = new LoadBalancer()) {
    this.#gateways = gateways;
  }

  /** The answer, its body read; undefined where there was none. */
  async ask(
    kind: CallKind,
    method: string,
    path: string,
    { expects, ...options }: ExpectingOptions = {},
  ): Promise<{ status: number; ok: boolean; text: string } | undefined> {
    return this.keep(kind, name(method, path), () => this.#gateways.ask(method, path, options), expects);
  }

  /** The same for a call that is not made of the API. */
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

/** Of problem details; a page of a failure says it for people. */
function detailOf(text: string): string | undefined {
  const [, detail] = /"detail":"([^"]{1,100})/.exec(text) ?? /<h1[^>]*>([^<]{1,100})/.exec(text) ?? [];
  return detail;
}
