import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionStatus } from './connection-status.ts';
import { streamsApi } from './streams.ts';

/** After this time an unanswered pull is sent again. */
const expiresMs = 30_000;
/** How long a drain may take; a server that is away never confirms it. */
const drainMs = 1000;
/** Milliseconds without an event after which no more events of a processed pull are expected. */
const quietMs = 100;

type Consumer = Awaited<ReturnType<JetStreamClient['consumers']['get']>>;

export interface PullOptions {
  readonly connection: NatsConnection;
  readonly signal: AbortSignal;
  readonly most: number;
}

/**
 * Pulls up to `most` events and passes each to `take`. Resolves after that many, after `expiresMs`, or when the
 * connection is lost. Once `signal` is aborted it pulls no more, but still takes what the server has sent. Otherwise
 * those events would wait for their ack to expire.
 *
 * @throws Error where the consumer is gone or the server silent.
 */
export async function pullEvents(
  consumer: Consumer,
  { connection, signal, most }: PullOptions,
  take: (message: JsMsg) => void,
): Promise<void> {
  const status = connectionStatus(connection);
  // The client would repeat a pull in full after a reconnect, beyond what was already taken.
  if (!status.isConnected) await once(status.changes, 'back', { signal }).catch(() => undefined);
  if (signal.aborted) return;
  const pulled = await consumer.fetch({ max_messages: most, expires: expiresMs });
  let taken = 0;
  const lost = () => pulled.stop();
  const end = async () => {
    try {
      await takenUp(connection, consumer);
      for (let before = -1; before < taken; await pause(quietMs)) before = taken;
      await drain(pulled);
    } catch {
      // Nothing to do: a silent server sends no events that are worth waiting for.
    }
    pulled.stop();
  };
  const ends = () => void end();
  status.changes.on('lost', lost);
  signal.addEventListener('abort', ends);
  try {
    if (signal.aborted) ends();
    for await (const message of pulled) {
      taken += 1;
      take(message);
    }
  } finally {
    status.changes.off('lost', lost);
    signal.removeEventListener('abort', ends);
  }
}

/**
 * Resolves once the server has processed all earlier pulls, by a last pull that does not wait. The server processes
 * pulls asynchronously: without this, an earlier pull could deliver after the subscription has ended.
 */
async function takenUp(connection: NatsConnection, consumer: Consumer): Promise<void> {
  const { stream_name: stream, name } = await consumer.info(true);
  const subject = `${streamsApi.apiPrefix}.CONSUMER.MSG.NEXT.${stream}.${name}`;
  const pull = JSON.stringify({ batch: 1, no_wait: true });
  // Uses a subscription of its own, because an event arrives under its own subject. The client's shared
  // subscription for answers would drop it.
  const answer = await connection.request(subject, pull, { timeout: drainMs, noMux: true });
  // A status has a code; a message without one is an event.
  if (!answer.headers?.code) answer.respond('-NAK');
}

/** The client's `stop` drops later messages, and its types hide the subscription that can be drained. */
async function drain(pulled: ConsumerMessages): Promise<void> {
  const { sub } = pulled as unknown as { readonly sub: Subscription };
  await Promise.race([sub.drain(), pause(drainMs, undefined, { ref: false })]);
}
