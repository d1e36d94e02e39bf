import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { dialMs } from './dial.ts';

/** How one process reaches NATS. `user` also names its inbox prefix: its permissions allow no other inbox. */
export interface BusOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly name: string;
}

const betweenAttemptsMs = 500;
const flushMs = 1000;
const drainMs = 5000;

/** The prefix of the reply subjects of `user`; deploy/nats/nats.conf lets no other user subscribe to them. */
const inboxPrefix = (user: string) => `_INBOX_${user}`;

/**
 * Opens a connection for a process that cannot work without one. It waits for the server and reconnects after any
 * outage. Only credentials that are refused twice close it.
 */
export function connectBus(options: BusOptions): Promise<NatsConnection> {
  return connect(busConnection(options));
}

/** A connection that opens as soon as NATS is there, for a process that starts without it. */
export class PendingConnection {
  readonly opened: Promise<NatsConnection>;
  readonly #stopping = new AbortController();

  constructor(options: BusOptions) {
    this.opened = this.#open(options);
    // The users of `opened` see the failure; without any it must not be an unhandled rejection.
    this.opened.catch(() => undefined);
  }

  /** Stops trying to connect. `opened` rejects unless the connection is open. */
  stopReconnecting(): void {
    this.#stopping.abort(new Error('The process stops.'));
  }

  async #open(options: BusOptions): Promise<NatsConnection> {
    const { signal } = this.#stopping;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await connectUnlessAborted(options, signal);
      } catch (error) {
        signal.throwIfAborted();
        // The first failure and then one a minute: the cause may be this process's own password.
        if (attempt % Math.ceil(60_000 / betweenAttemptsMs) === 1)
          new Logger(PendingConnection.name).warn(`NATS is not there, trying again: ${String(error)}`);
        await pause(betweenAttemptsMs, undefined, { signal });
      }
    }
  }
}

/** Ends without delay when it is aborted. A server that accepts the connection and stays silent would keep the client waiting for 20 s. */
async function connectUnlessAborted(options: BusOptions, signal: AbortSignal): Promise<NatsConnection> {
  const connecting = connect({ ...busConnection(options), waitOnFirstConnect: false });
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([connecting, aborted]);
    return await connecting;
  } catch (error) {
    void connecting.then((late) => late.close()).catch(() => undefined);
    throw error;
  } finally {
    settled.abort();
    aborted.catch(() => undefined);
  }
}

/** Sends pending messages and closes, within `drainMs`. With a server that is away it closes without delay. */
export async function closeBus(connection: NatsConnection, isThere: boolean): Promise<void> {
  if (isThere && !connection.isClosed())
    await Promise.race([connection.drain(), pause(drainMs, undefined, { ref: false })]).catch(
      () => undefined,
    );
  await connection.close();
}

/** Waits until the server has all messages so far, for at most `flushMs`. */
export async function flushBus(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  await Promise.race([connection.flush(), pause(flushMs, undefined, { ref: false })]).catch(() => undefined);
}

/** The settings of the NATS client. A `tls://…` address requires TLS and a certificate that this process trusts. */
export function busConnection(options: BusOptions): NodeConnectionOptions {
  return {
    servers: options.url.split(','),
    ...(options.url.startsWith('tls:') && { tls: {} }),
    user: options.user,
    pass: options.password,
    name: options.name,
    inboxPrefix: inboxPrefix(options.user),
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    // Each attempt resolves the host name again, because a restarted server has another address.
    timeout: dialMs,
    // Ignores the addresses that servers announce. They belong to pods, and the client would keep them after
    // the pods are gone.
    ignoreClusterUpdates: true,
    // A restart takes less than a second. Short waits notice its end soon; the jitter spreads the clients.
    reconnectTimeWait: 100,
    reconnectJitter: 200,
    // Each request would capture a stack through source maps; spans show the origin of a request already.
    noAsyncTraces: true,
    // A vanished node stays silent. After three unanswered pings, 10 to 15 s, the client connects to another one.
    pingInterval: 5000,
    maxPingOut: 2,
  };
}
