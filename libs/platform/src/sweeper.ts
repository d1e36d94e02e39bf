import { withTaskSpan } from '@stoa/telemetry';
import { Worker } from './worker.ts';

/** A worker whose rounds each have a trace of their own. */
export abstract class Sweeper extends Worker {
  /** @see Worker.round */
  protected abstract sweep(signal: AbortSignal): Promise<number | void>;

  protected round(signal: AbortSignal): Promise<number | void> {
    return this.sweep(signal);
  }

  protected override inTrace<T>(round: () => Promise<T>): Promise<T> {
    return withTaskSpan('sweep', {}, round);
  }
}
