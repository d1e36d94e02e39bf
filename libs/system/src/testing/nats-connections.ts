import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { PartsHandles } from '../parts/start-parts.ts';
import type { NatsUser } from '../settings/names.ts';

/** Opens connections for a test to the NATS that runs at that time, each with the rights of one user. */
export function natsConnections(nats: () => PartsHandles['nats']) {
  const open: NatsConnection[] = [];
  return {
    async as(user: NatsUser): Promise<NatsConnection> {
      const { url, credentials } = nats();
      const connection = await connect({ servers: url, ...credentials(user) });
      open.push(connection);
      return connection;
    },
    async close(): Promise<void> {
      await Promise.all(open.map((connection) => connection.close()));
    },
  };
}
