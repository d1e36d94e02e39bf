import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { agreementsStream, readStream, streamsApi } from './streams.ts';

const timeout = 5000;

/**
 * Has the replicas of `app` agree on a value: whoever proposes first, all are answered the same. The stream forgets it a
 * day later. @throws Error while the stream is away.
 */
export async function agree(
  connection: NatsConnection,
  { app, about, proposal }: { app: string; about: string; proposal: string },
): Promise<string> {
  const subject = `agreements.${app}.${about}`;
  try {
    await jetstream(connection, streamsApi).publish(subject, proposal, { timeout });
    return proposal;
  } catch (error) {
    // The stream holds one message of a subject, and the first one stays.
    if (!(error instanceof JetStreamApiError)) throw error;
    const [agreed] = await readStream(connection, agreementsStream, {
      from: { seq: 1 },
      subject,
      batch: 1,
    });
    if (!agreed) throw error;
    return agreed.string();
  }
}
