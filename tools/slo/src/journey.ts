/** One thing that a user comes to do, and how reliably it must work. */
export interface Journey {
  readonly name: string;
  readonly title: string;
  /** What is promised, in words that a user would agree to. */
  readonly promise: string;
  /** Share of requests, in percent of thirty days, that must keep the promise. */
  readonly objective: number;
  /** Within which time an answer counts; apps/e2e/telemetry/metrics.spec.ts holds it to the bounds that are sent. */
  readonly seconds: number;
  readonly methods: readonly string[];
  /** Route templates of the gateway; every method with every route is meant. */
  readonly routes: readonly string[];
}

/** Share of requests that may break the promise, from 0 to 1. */
export const budget = ({ objective }: Journey): number => Number((1 - objective / 100).toPrecision(6));
