import { withPublishSpan } from '@stoa/telemetry';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsApi } from './streams.ts';
import { toHeaders } from './wire.ts';

/** For so long the stream may take to have an event on its disks. */
const ackMs = 5000;

export interface StoredEvent {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  /** Trace headers of the moment the event was recorded. */
  readonly headers: Record<string, string>;
}

/** Puts recorded events on the stream. */
export class EventPublisher {
  readonly #client: JetStreamClient;

  constructor(connection: NatsConnection) {
    this.#client = jetstream(connection, streamsApi);
  }

  /** Resolves once the stream has the event on disk. Publishing the same id again is harmless. */
  async publish(event: StoredEvent, timeoutMs = ackMs): Promise<void> {
    await withPublishSpan(event.subject, event.headers, async (headers) => {
      const options = { msgID: event.id, headers: toHeaders(headers), timeout: timeoutMs };
      await this.#client.publish(event.subject, event.payload, options);
    });
  }

  /**
   * Sends all events in their order before it waits for any; answers what each failed with, undefined if it did not. What has
   * no answer by then fails with what `givenUp` rejects with.
   */
  async publishAll(
    events: readonly StoredEvent[],
    { timeoutMs, givenUp }: { timeoutMs?: number | undefined; givenUp?: Promise<never> | undefined } = {},
  ): Promise<unknown[]> {
    const results = await Promise.allSettled(
      events.map((event) => {
        const published = this.publish(event, timeoutMs);
        return givenUp ? Promise.race([published, givenUp]) : published;
      }),
    );
    return results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined));
  }
}
