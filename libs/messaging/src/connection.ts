import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { dialMs } from './dial.ts';

/** How one process reaches NATS. `user` also names its inbox prefix, the only inbox its permissions open. */
export interface BusOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Name shown by the server's monitoring. */
  readonly name: string;
}

const betweenAttemptsMs = 500;
const flushMs = 1000;
const drainMs = 5000;

/** What answers to `user` begin with; deploy/nats/nats.conf lets nobody else listen there. */
const inboxPrefix = (user: string) => `_INBOX_${user}`;

/**
 * Opens a connection for whoever has nothing to do without one. It waits for a server that is not there yet and comes
 * back after any outage; only credentials refused twice close it.
 */
export function connectBus(options: BusOptions): Promise<NatsConnection> {
  return connect(busConnection(options));
}

/** A connection on its way, for a process that has something to give before NATS is there. It comes when NATS does. */
export class PendingConnection {
  readonly opened: Promise<NatsConnection>;
  readonly #stopping = new AbortController();

  constructor(options: BusOptions) {
    this.opened = this.#open(options);
    // Those who await it see the failure; without any it must not stay unhandled.
    this.opened.catch(() => undefined);
  }

  /** Looks for NATS no longer: unless it is there, `opened` rejects. */
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
        // At once, and each minute: what is wrong may be this process's own password.
        if (attempt % Math.ceil(60_000 / betweenAttemptsMs) === 1)
          new Logger(PendingConnection.name).warn(`NATS is not there, trying again: ${String(error)}`);
        await pause(betweenAttemptsMs, undefined, { signal });
      }
    }
  }
}

/** A server that hangs takes the connection and says nothing: the client alone would wait 20 s for it. */
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

/**
 * Sends what is on its way and closes, at the latest after `drainMs`. A server that is away gets nothing, and does
 * not delay the shutdown.
 */
export async function closeBus(connection: NatsConnection, isThere: boolean): Promise<void> {
  if (isThere && !connection.isClosed())
    await Promise.race([connection.drain(), pause(drainMs, undefined, { ref: false })]).catch(
      () => undefined,
    );
  await connection.close();
}

/** Lets the server know what was said so far, where it is there to hear it. */
export async function flushBus(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  await Promise.race([connection.flush(), pause(flushMs, undefined, { ref: false })]).catch(() => undefined);
}

/** The same as settings of the client. An address `tls://…` demands TLS, of a server that this process believes. */
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
    // Each try looks the name up again: a server that comes back has another address, and nothing answers at the old one.
    timeout: dialMs,
    // What servers tell of each other are addresses of pods, which stay in the list when the pods are gone.
    ignoreClusterUpdates: true,
    // A restart takes less than a second: its end is noticed soon, and by all one after the other.
    reconnectTimeWait: 100,
    reconnectJitter: 200,
    // A stack for each request, read through source maps, in case it should fail: spans say who asked.
    noAsyncTraces: true,
    // A node that vanished says nothing: at the third ping without an answer, after 10 to 15 s, another one is looked for.
    pingInterval: 5000,
    maxPingOut: 2,
  };
}
