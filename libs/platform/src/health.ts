import { Bus, RequestServer } from '@stoa/messaging';
import { Inject, Injectable, Optional } from '@nestjs/common';

/** A check of a part that this process cannot work without; it runs at each readiness probe. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<unknown>;
}

export const readinessChecks = Symbol('readinessChecks');

const checkTimeoutMs = 2000;

/**
 * Liveness and readiness of this process, for `serveHealth`. The readiness checks are provided under
 * `readinessChecks`; no method throws.
 */
@Injectable()
export class Health {
  #draining = false;
  readonly #bus: Bus;
  readonly #checks: ReadinessCheck[];

  readonly #requests: RequestServer | null;

  constructor(
    @Inject(Bus) bus: Bus,
    @Optional() @Inject(readinessChecks) checks: ReadinessCheck[] | null,
    @Optional() @Inject(RequestServer) requests: RequestServer | null = null,
  ) {
    this.#bus = bus;
    this.#checks = checks ?? [];
    this.#requests = requests;
  }

  /** Reports unready from now on, so that load balancers choose other replicas during the drain. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * False once a connection or subscription is closed for good. It never reopens, so the process must be
   * replaced. A frozen process answers no probe.
   */
  get alive(): boolean {
    return !this.#bus.isClosed && (this.#requests?.isServing ?? true);
  }

  /** Names of the parts that keep this process from working. */
  async unready(): Promise<string[]> {
    if (this.#draining) return ['draining'];
    const results = await Promise.allSettled(this.#checks.map(({ check }) => withTimeout(check())));
    return this.#checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
  }
}

function withTimeout(work: Promise<unknown>): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error('no answer')), checkTimeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
