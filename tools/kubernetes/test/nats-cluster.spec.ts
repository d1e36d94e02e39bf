import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  freePorts,
  goProgram,
  goPrograms,
  inRepository,
  openDataFolder,
  plainReporter,
  provisionStreams,
  temporarySecrets,
  waitFor,
} from '@stoa/system';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

const secrets = temporarySecrets();
const workplace = openDataFolder(undefined, () => undefined);
const { dir, supervisor } = workplace;
const as = (user: string) => ({
  user,
  pass: secrets[`NATS_${user.toUpperCase()}_PASSWORD`] ?? '',
  inboxPrefix: `_INBOX_${user}`,
});
const [provision, creators] = [as('provision'), as('creators')];
let clients: number[];
let monitors: number[];
let start: (index: number) => Promise<void>;

interface StatefulSet {
  spec: {
    minReadySeconds: number;
    template: { spec: { containers: [Record<string, { httpGet: { path: string } } | undefined>] } };
  };
}
const specOf = (component: string) => {
  const text = readFileSync(inRepository('k8s/components', component, 'nats.yaml'), 'utf8');
  return (parseAllDocuments(text)[0]?.toJS() as StatefulSet).spec;
};
const cluster = specOf('nats-cluster');
const probesOf = ({ template }: StatefulSet['spec']) => template.spec.containers[0];
/** Sends the request of one of the servers' probes, as the kubelet does. */
const probe = async (index: number, name: 'startupProbe' | 'readinessProbe' | 'livenessProbe') => {
  const path = { ...probesOf(specOf('nats')), ...probesOf(cluster) }[name]?.httpGet.path ?? '';
  return (await fetch(`http://127.0.0.1:${monitors[index]}${path}`)).status;
};

/** The number of events that this server itself stores. */
const eventsOf = async (index: number) => {
  const { account_details: accounts } = (await (
    await fetch(`http://127.0.0.1:${monitors[index]}/jsz?streams=true`)
  ).json()) as {
    account_details: { stream_detail: { name: string; state: { messages: number } }[] }[];
  };
  const streams = accounts.flatMap(({ stream_detail }) => stream_detail);
  return streams.find(({ name }) => name === 'EVENTS')?.state.messages;
};

beforeAll(async () => {
  const task = plainReporter(() => undefined).task('NATS');
  const command = await goProgram(goPrograms.nats, task);
  const ports = Object.values(await freePorts());
  clients = ports.slice(0, 3);
  const routes = ports.slice(3, 6);
  monitors = ports.slice(6, 9);
  const peers = routes.map((port) => `nats://route:${secrets['NATS_CLUSTER_PASSWORD']}@127.0.0.1:${port}`);
  // The settings that k8s/components/nats-cluster gives each server, with ports instead of hosts.
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
      // A single server has no majority and is never ready; this probe checks only the server itself.
      ready: async () => (await fetch(`http://127.0.0.1:${monitors[index]}/healthz?js-enabled-only=true`)).ok,
    });
}, 600_000);
afterAll(() => workplace.close());

const url = () => clients.map((port) => `nats://127.0.0.1:${port}`).join(',');

it('a single server fails its startup probe, not its liveness probe', async () => {
  await start(0);
  expect(await probe(0, 'startupProbe')).toBe(503);
  expect(await probe(0, 'livenessProbe')).toBe(200);
});

it('three servers of deploy/nats form a cluster with three replicas of every stream', async () => {
  await Promise.all([1, 2].map(start));
  for (const index of [0, 1, 2])
    await waitFor(async () => expect(await probe(index, 'startupProbe')).toBe(200), { timeout: 30_000 });
  await waitFor(
    async () => expect(await provisionStreams(url(), provision, 3).then(() => 'made', String)).toBe('made'),
    { timeout: 30_000 },
  );

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

it('the cluster keeps working when one of three servers stops', async () => {
  await supervisor.stop('nats-0');
  const connection = await connect({ servers: url().split(','), ...provision });
  try {
    // Until the two remaining servers have elected a leader, none answers for the account.
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    // If the stopped server was the leader, a new one is elected.
    await waitFor(
      async () => expect(await streams.info('EVENTS').then((info) => info.state.messages, String)).toBe(0),
      { timeout: 30_000 },
    );
  } finally {
    await connection.close();
  }
});

it('a restarted server catches up within minReadySeconds', async () => {
  const connection = await connect({ servers: url().split(','), ...creators });
  try {
    const js = jetstream(connection);
    for (let n = 0; n < 50; n += 1) await js.publish('events.creators.changed', `fact ${n}`);
  } finally {
    await connection.close();
  }
  expect([await probe(1, 'readinessProbe'), await probe(2, 'readinessProbe')]).toEqual([200, 200]);

  await start(0);
  await waitFor(async () => expect(await probe(0, 'startupProbe')).toBe(200), { timeout: 30_000 });
  // A rolling update waits for this too: the server reports healthy until it knows how far behind it is.
  await waitFor(async () => expect(await eventsOf(0)).toBe(50), { timeout: cluster.minReadySeconds * 1000 });
});
