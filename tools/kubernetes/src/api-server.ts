import { freePorts, openDataFolder, run } from '@stoa/system';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { Programs } from './programs.ts';

/** A real API server with its own store, and kubectl as its administrator. */
export interface ApiServer {
  /** A folder that is removed with the server. */
  readonly dir: string;
  kubectl(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

const definitionsMs = 30_000;

/**
 * Starts an API server with the namespaces of operators, the custom resources in use, and a namespace `stoa`
 * that admits only restricted pods.
 *
 * @param further folders of more custom resources.
 */
export async function startApiServer(
  programs: Programs,
  further: readonly string[] = [],
): Promise<ApiServer> {
  const { dir, supervisor, close } = openDataFolder(undefined, () => undefined);
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
        // Disables the plugin that waits for a controller to create the accounts, because none runs.
        '--disable-admission-plugins=ServiceAccount',
      ],
      env: process.env,
      ready: async () => (await kubectl('get', '--raw', '/readyz')).includes('ok'),
    });
    await prepare([programs.definitions, ...further], server);
    return server;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Namespaces of operators' objects outside the namespace of the apps. */
const operatorNamespaces = ['argocd', 'flux-system', 'monitoring'];

async function prepare(definitions: readonly string[], { dir, kubectl }: ApiServer): Promise<void> {
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
  // Uses a server-side apply, because the definitions are too large for the annotation of a client-side
  // apply.
  for (const folder of definitions) await kubectl('apply', '--server-side', '-f', folder);
  for (const name of operatorNamespaces) await kubectl('create', 'namespace', name);
  const groups = definitions
    .flatMap((folder) => groupVersionsIn(folder))
    .map((version) => version.replace(/\/.*$/, ''));
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

interface Definition {
  readonly spec: { readonly group: string; readonly versions: readonly { name: string; served: boolean }[] };
}

/** The API versions, such as `keda.sh/v1alpha1`, that the custom resources in a folder define. */
export const groupVersionsIn = (folder: string): string[] =>
  readdirSync(folder)
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Definition)
    .flatMap(({ spec: { group, versions } }) =>
      versions.filter(({ served }) => served).map(({ name }) => `${group}/${name}`),
    );

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
