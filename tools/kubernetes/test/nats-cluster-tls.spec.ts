import {
  certificateOf,
  freePorts,
  goProgram,
  goPrograms,
  inRepository,
  makeCertificates,
  openDataFolder,
  plainReporter,
  temporarySecrets,
  waitFor,
} from '@stoa/system';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const secrets = temporarySecrets();
const workplace = openDataFolder(undefined, () => undefined);
const { dir, supervisor } = workplace;
let own: string;
let stranger: string;
let start: (name: string, config: string, authority: string) => Promise<void>;
let numbers: number[];
let members = 0;
const monitors = new Map<string, number>();

interface Routes {
  routes: { remote_name: string }[];
}

const peersOf = async (name: string) => {
  const answer = await fetch(`http://127.0.0.1:${monitors.get(name)}/routez`);
  const { routes } = (await answer.json()) as Routes;
  return [...new Set(routes.map(({ remote_name }) => remote_name))];
};
const logOf = (name: string) => readFileSync(join(dir, 'logs', `${name}.log`), 'utf8');

beforeAll(async () => {
  const command = await goProgram(goPrograms.nats, plainReporter(() => undefined).task('NATS'));
  [own, stranger] = await Promise.all([
    makeCertificates(join(dir, 'own')),
    makeCertificates(join(dir, 'stranger')),
  ]);
  numbers = Object.values(await freePorts());
  const meeting = numbers.pop();
  const peer = `nats://route:${secrets['NATS_CLUSTER_PASSWORD']}@127.0.0.1:${meeting}`;
  // The settings of the component tls; clients without a certificate need only a password.
  start = (name, config, folder) => {
    const [client, route, monitor] = [numbers.pop(), numbers.pop(), numbers.pop() ?? 0];
    monitors.set(name, monitor);
    const { certificate, key } = certificateOf(folder, 'nats');
    return supervisor.start({
      name,
      command,
      args: [
        ...['-c', inRepository('deploy/nats', config), '-a', '127.0.0.1', '-p', String(client)],
        ...['-sd', join(dir, name), '-m', String(monitor)],
        ...['-cluster', `nats://127.0.0.1:${members++ === 0 ? meeting : route}`],
      ],
      env: {
        ...secrets,
        NATS_SERVER_NAME: name,
        NATS_ROUTES: JSON.stringify([peer]),
        NATS_TLS_CERTIFICATE: certificate,
        NATS_TLS_KEY: key,
        NATS_TLS_AUTHORITY: join(folder, 'ca.crt'),
      },
      ready: async () => (await fetch(`http://127.0.0.1:${monitor}/healthz?js-enabled-only=true`)).ok,
    });
  };
}, 600_000);
afterAll(() => workplace.close());

it('servers with certificates of the same authority form a cluster', async () => {
  await start('first', 'cluster-tls.conf', own);
  await start('second', 'cluster-tls.conf', own);
  await waitFor(async () => expect(await peersOf('first')).toEqual(['second']), { timeout: 20_000 });
});

it.each([
  ['whose certificate is of another authority', 'other', 'cluster-tls.conf', /TLS route handshake error/],
  ['that speaks no TLS', 'plain', 'cluster.conf', /TLS route handshake error/],
])('refuses a server %s, even with the password', async (_title, name, config, refused) => {
  await start(name, config, stranger);
  const before = logOf('first');
  await waitFor(() => expect(logOf('first').slice(before.length)).toMatch(refused), { timeout: 20_000 });
  expect(await peersOf(name)).toEqual([]);
  expect(await peersOf('first')).toEqual(['second']);
});
