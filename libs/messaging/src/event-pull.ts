import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionStatus } from './connection-status.ts';
import { streamsApi } from './streams.ts';

/** After which an unanswered pull is made anew. */
const expiresMs = 30_000;
/** For the server to say that nothing more is on its way; one that is away never does. */
const drainMs = 1000;
/** Between two events of a pull that the server has taken up. */
const quietMs = 100;

type Consumer = Awaited<ReturnType<JetStreamClient['consumers']['get']>>;

export interface PullOptions {
  /** The connection that the consumer was had from. */
  readonly connection: NatsConnection;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Events. */
  readonly most: number;
}

/**
 * Asks for up to `most` events and gives each to `take` as it comes; resolves when there are so many, or some time has
 * passed, or the connection was lost. Once `signal` is aborted nothing more is asked for, and what the server has sent by
 * then is taken still: nothing stays on its way to nobody until the server gives it to another.
 *
 * @throws Error where the consumer is gone or the server silent.
 */
export async function pullEvents(
  consumer: Consumer,
  { connection, signal, most }: PullOptions,
  take: (message: JsMsg) => void,
): Promise<void> {
  const status = connectionStatus(connection);
  // A pull that outlives its connection is asked for once more in full by the client, over what was taken of it.
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
      // Of a server that says nothing there is nothing to wait for.
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
 * Resolves once the server has taken up all pulls so far, by one more after them that waits for nothing. It does so beside
 * all else: what was asked for just now would be sent after the subscription has ended.
 */
async function takenUp(connection: NatsConnection, consumer: Consumer): Promise<void> {
  const { stream_name: stream, name } = await consumer.info(true);
  const subject = `${streamsApi.apiPrefix}.CONSUMER.MSG.NEXT.${stream}.${name}`;
  const pull = JSON.stringify({ batch: 1, no_wait: true });
  // Not the subscription of all requests, which takes an event, under its own subject, for no answer.
  const answer = await connection.request(subject, pull, { timeout: drainMs, noMux: true });
  // Only what says that there is nothing has a code.
  if (!answer.headers?.code) answer.respond('-NAK');
}

/** The client's own end drops what comes after it, and its types do not say that there is a subscription to drain. */
async function drain(pulled: ConsumerMessages): Promise<void> {
  const { sub } = pulled as unknown as { readonly sub: Subscription };
  await Promise.race([sub.drain(), pause(drainMs, undefined, { ref: false })]);
}
