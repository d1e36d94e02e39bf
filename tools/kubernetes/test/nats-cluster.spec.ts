import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  freePorts,
  goProgram,
  goPrograms,
  inRepository,
  openWorkplace,
  plainReporter,
  provisionStreams,
  temporarySecrets,
} from '@stoa/stack';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const secrets = temporarySecrets();
const workplace = openWorkplace(undefined, () => undefined);
const { dir, supervisor } = workplace;
const provision = {
  user: 'provision',
  pass: secrets['NATS_PROVISION_PASSWORD'] ?? '',
  inboxPrefix: '_INBOX_provision',
};
let clients: number[];
let start: (index: number) => Promise<void>;

beforeAll(async () => {
  const task = plainReporter(() => undefined).task('NATS');
  const command = await goProgram(goPrograms.nats, task);
  const ports = Object.values(await freePorts());
  clients = ports.slice(0, 3);
  const [routes, monitors] = [ports.slice(3, 6), ports.slice(6, 9)];
  const peers = routes.map((port) => `nats://route:${secrets['NATS_CLUSTER_PASSWORD']}@127.0.0.1:${port}`);
  // What k8s/components/nats-cluster gives each server, with ports in place of hosts.
  start = (index) =>
    supervisor.start({
      name: `nats-${index}`,
      command,
      args: [
        ...['-c', inRepository('deploy/nats/cluster.conf'), '-a', '127.0.0.1', '-p', String(clients[index])],
        ...['-sd', join(dir, `data-${index}`), '-m', String(monitors[index])],
        ...['-cluster', `nats://127.0.0.1:${routes[index]}`],
      ],
      env: { ...secrets, NATS_SERVER_NAME: `nats-${index}`, NATS_ROUTES: JSON.stringify(peers) },
      // A server alone has no majority to be ready with; the probe asks for the server itself.
      ready: async () => (await fetch(`http://127.0.0.1:${monitors[index]}/healthz?js-enabled-only=true`)).ok,
    });
  await Promise.all([0, 1, 2].map(start));
}, 600_000);
afterAll(() => workplace.close());

const url = () => clients.map((port) => `nats://127.0.0.1:${port}`).join(',');

it('makes three servers of deploy/nats one cluster that keeps every stream three times', async () => {
  await expect
    .poll(() => provisionStreams(url(), provision, 3).then(() => 'made', String), { timeout: 30_000 })
    .toBe('made');

  const connection = await connect({ servers: url().split(','), ...provision });
  try {
    const { streams } = await jetstreamManager(connection);
    for (const name of ['EVENTS', 'DEAD']) {
      const { cluster, config } = await streams.info(name);
      expect(config.num_replicas).toBe(3);
      expect([cluster?.leader, ...(cluster?.replicas ?? []).map((peer) => peer.name)].toSorted()).toEqual([
        'nats-0',
        'nats-1',
        'nats-2',
      ]);
    }
  } finally {
    await connection.close();
  }
});

it('goes on when one of the three is gone', async () => {
  await supervisor.stop('nats-0');
  const connection = await connect({ servers: url().split(','), ...provision });
  try {
    // Until the two that are left have elected a leader, nobody answers for the account.
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    // A new leader is elected where the lost server led.
    await expect
      .poll(() => streams.info('EVENTS').then((info) => info.state.messages, String), { timeout: 30_000 })
      .toBe(0);
  } finally {
    await connection.close();
  }
});
