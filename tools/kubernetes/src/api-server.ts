import { freePorts, openDataFolder, run } from '@stoa/system';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Programs } from './programs.ts';

/** A real API server on a store of its own, with the client that speaks to it as its administrator. */
export interface ApiServer {
  /** A folder that goes when the server does. */
  readonly dir: string;
  kubectl(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

const definitionsMs = 30_000;

/** Starts a server with a namespace `stoa` that admits only restricted pods, and the custom resources in use. */
export async function startApiServer(programs: Programs): Promise<ApiServer> {
  const { dir, supervisor, close } = openDataFolder(undefined, () => undefined);
  // Any three free ports will do.
  const { nats: store, mail: peers, site: secure } = await freePorts();
  const configuration = writeConfiguration(dir, secure);
  const kubectl = (...args: string[]) =>
    run(programs.kubectl, [`--kubeconfig=${configuration.client}`, ...args]);
  const server = { dir, kubectl, stop: close };
  try {
    await supervisor.start({
      name: 'etcd',
      command: programs.etcd,
      args: [
        `--data-dir=${join(dir, 'etcd')}`,
        `--listen-client-urls=http://127.0.0.1:${store}`,
        `--advertise-client-urls=http://127.0.0.1:${store}`,
        `--listen-peer-urls=http://127.0.0.1:${peers}`,
        '--unsafe-no-fsync',
      ],
      env: process.env,
      ready: async () => (await fetch(`http://127.0.0.1:${store}/health`)).ok,
    });
    await supervisor.start({
      name: 'kube-apiserver',
      command: programs.apiServer,
      args: [
        `--etcd-servers=http://127.0.0.1:${store}`,
        `--secure-port=${secure}`,
        '--bind-address=127.0.0.1',
        `--cert-dir=${join(dir, 'certificates')}`,
        `--service-account-key-file=${configuration.key}`,
        `--service-account-signing-key-file=${configuration.key}`,
        '--service-account-issuer=https://kubernetes.invalid',
        `--token-auth-file=${configuration.tokens}`,
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        // It would wait for a controller that makes the accounts.
        '--disable-admission-plugins=ServiceAccount',
      ],
      env: process.env,
      ready: async () => (await kubectl('get', '--raw', '/readyz')).includes('ok'),
    });
    await prepare(programs, server);
    return server;
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(programs: Programs, { dir, kubectl }: ApiServer): Promise<void> {
  const namespace = join(dir, 'namespace.yaml');
  const labels = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  writeFileSync(
    namespace,
    stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stoa', labels } }),
  );
  await kubectl('apply', '-f', namespace);
  // Definitions are too large for the annotation of a client-side apply.
  await kubectl('apply', '--server-side', '-f', programs.definitions);
  const groups = readdirSync(programs.definitions).map((file) => file.replace(/_.*$/, ''));
  const isServed = async () => {
    const described = await kubectl('get', '--raw', '/openapi/v3');
    return groups.every((group) => described.includes(`apis/${group}/`));
  };
  const deadline = Date.now() + definitionsMs;
  while (!(await isServed())) {
    if (Date.now() > deadline) throw new Error(`The server does not describe ${groups.join(', ')}.`);
    await pause(100);
  }
}

function writeConfiguration(dir: string, port: number) {
  mkdirSync(join(dir, 'certificates'));
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  const client = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'check', cluster }],
    users: [{ name: 'check', user: { token: 'check' } }],
    contexts: [{ name: 'check', context: { cluster: 'check', user: 'check', namespace: 'stoa' } }],
    'current-context': 'check',
  };
  return {
    key: file('service-accounts.pem', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
    tokens: file('tokens.csv', 'check,check,1,system:masters\n'),
    client: file('client.yaml', stringify(client)),
  };
}
