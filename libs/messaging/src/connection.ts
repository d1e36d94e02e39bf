import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';

/** How one process reaches NATS. `user` also names its inbox prefix, the only inbox its permissions open. */
export interface BusOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Name shown by the server's monitoring. */
  readonly name: string;
}

/** What answers to `user` begin with; deploy/nats/nats.conf lets nobody else listen there. */
export const inboxPrefix = (user: string) => `_INBOX_${user}`;

/**
 * Opens the connection that a process keeps for its whole life. It waits for a server that is not there
 * yet and comes back after any outage; only credentials refused twice close it.
 */
export function connectBus(options: BusOptions): Promise<NatsConnection> {
  return connect(busConnection(options));
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
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Three missed answers of 10 s each: a silent peer is given up before people give up on us.
    pingInterval: 10_000,
    maxPingOut: 3,
  };
}
