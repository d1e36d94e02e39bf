import { Bus } from '@stoa/messaging';
import { Inject, Injectable, Optional } from '@nestjs/common';

/** A part that this process cannot work without, asked at each readiness check. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<unknown>;
}

export const readinessChecks = Symbol('readinessChecks');

const checkTimeoutMs = 2000;

/**
 * Whether this process lives and may be sent work, for the probes that `serveHealth` answers. Its readiness checks are those
 * given under `readinessChecks`; none of its answers throws.
 */
@Injectable()
export class Health {
  #draining = false;
  readonly #bus: Bus;
  readonly #checks: ReadinessCheck[];

  constructor(@Inject(Bus) bus: Bus, @Optional() @Inject(readinessChecks) checks: ReadinessCheck[] | null) {
    this.#bus = bus;
    this.#checks = checks ?? [];
  }

  /** From now on not ready: load balancers look elsewhere while the last requests are answered. */
  drain(): void {
    this.#draining = true;
  }

  /** A closed connection never comes back, so the process must be replaced. */
  get alive(): boolean {
    return !this.#bus.isClosed;
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
