import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { agreementsStream, readStream, streamsApi } from './streams.ts';

const timeout = 5000;

/**
 * Lets the replicas of `app` agree on a value. The first proposal wins, and every call resolves to it. The stream
 * deletes it after a day. @throws Error while the stream is away.
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
    // The stream holds one message per subject and rejects a second one.
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
