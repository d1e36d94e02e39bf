import { withPublishSpan } from '@stoa/telemetry';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsApi } from './streams.ts';
import { toHeaders } from './wire.ts';

/** Milliseconds that the stream may take to store an event on disk. */
const ackMs = 5000;

export interface StoredEvent {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  /** Trace headers from the time the event was recorded. */
  readonly headers: Record<string, string>;
}

export class EventPublisher {
  readonly #client: JetStreamClient;

  constructor(connection: NatsConnection) {
    this.#client = jetstream(connection, streamsApi);
  }

  /** Resolves once the stream has the event on disk. Publishing the same id again has no effect. */
  async publish(event: StoredEvent, timeoutMs = ackMs): Promise<void> {
    await withPublishSpan(event.subject, event.headers, async (headers) => {
      const options = { msgID: event.id, headers: toHeaders(headers), timeout: timeoutMs };
      await this.#client.publish(event.subject, event.payload, options);
    });
  }

  /**
   * Sends all events in order before it waits for any. Resolves to the error of each, undefined for a stored one.
   * When `givenUp` rejects, all unanswered events fail with its reason.
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
