/** A task that users do on the site, and how reliably it must work. */
export interface Journey {
  readonly name: string;
  readonly title: string;
  /** The objective in words for users. */
  readonly promise: string;
  /** Share of requests within thirty days that must meet the objective, in percent. */
  readonly objective: number;
  /**
   * The time limit of a good answer. apps/e2e/telemetry/metrics.spec.ts compares it with the exported bucket
   * boundaries.
   */
  readonly seconds: number;
  readonly methods: readonly string[];
  /** Route templates of the gateway, combined with every method. */
  readonly routes: readonly string[];
}

/** Share of requests that may miss the objective, from 0 to 1. */
export const budget = ({ objective }: Journey): number => Number((1 - objective / 100).toPrecision(6));
