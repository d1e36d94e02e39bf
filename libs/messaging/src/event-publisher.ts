import { withPublishSpan } from '@stoa/telemetry';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsApi } from './streams.ts';
import { toHeaders } from './wire.ts';

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
  async publish(event: StoredEvent): Promise<void> {
    await withPublishSpan(event.subject, event.headers, async (headers) => {
      const options = { msgID: event.id, headers: toHeaders(headers), timeout: 5000 };
      await this.#client.publish(event.subject, event.payload, options);
    });
  }

  /** Sends all events in their order before it waits for any; answers what each failed with, undefined if it did not. */
  async publishAll(events: readonly StoredEvent[]): Promise<unknown[]> {
    const results = await Promise.allSettled(events.map((event) => this.publish(event)));
    return results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined));
  }
}
