import * as contracts from '@stoa/contracts';
import { apps, type App, inRepository } from '@stoa/system';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allSettings } from './app-settings.ts';

/** The engines, by the names that `reaches` of libs/platform gives them. */
export const parts = [
  'nats',
  'postgres',
  's3',
  'keycloak',
  'mail',
  'internet',
  'collector',
  'jaeger',
  'prometheus',
] as const;
export type Part = (typeof parts)[number];

/** A process that opens connections to a part. */
export interface Call {
  readonly from: string;
  readonly to: Part;
  /** Where a part answers on more than one port. */
  readonly port?: number;
}

/** Who calls whom: connections as the network sees them, requests and events as NATS carries them. */
export interface CallGraph {
  readonly connections: readonly Call[];
  readonly requests: Readonly<Record<App, readonly string[]>>;
  readonly events: Readonly<Record<App, readonly string[]>>;
}

/** What the engines call themselves, and the steps that prepare them; no settings of ours say so. */
const fixedConnections: readonly Call[] = [
  { from: 'keycloak', to: 'postgres' },
  // Mail for a forgotten password.
  { from: 'keycloak', to: 'mail' },
  { from: 'migrate', to: 'postgres' },
  { from: 'dead-letters', to: 'postgres' },
  { from: 'dead-letters', to: 'nats' },
  { from: 'backup', to: 'postgres' },
  { from: 'backup', to: 'nats' },
  { from: 'backup', to: 's3' },
  { from: 'reconcile', to: 'postgres' },
  { from: 'reconcile', to: 's3' },
  { from: 'set-up-postgres', to: 'postgres' },
  { from: 'set-up-nats', to: 'nats' },
  { from: 'set-up-minio', to: 's3' },
  { from: 'set-up-keycloak', to: 'keycloak' },
  // OpenTelemetry reads its own variables, which no schema of ours names.
  ...apps.map((from) => ({ from, to: 'collector' }) as const),
  { from: 'backup', to: 'collector' },
  { from: 'collector', to: 'jaeger', port: 4318 },
  { from: 'collector', to: 'prometheus' },
  { from: 'grafana', to: 'prometheus' },
  { from: 'grafana', to: 'jaeger', port: 16_686 },
];

/** Where browsers come in: the site; sign-in, uploads and pictures. */
export const publicEntryPoints = ['gateway', 'edge'] as const;

export interface Undeclared {
  readonly app: App;
  readonly variable: string;
}

const holdsAddress = /_(URL|ENDPOINT)$/;

/** The variables that hold an address without saying what is reached through it. */
export async function undeclaredAddresses(): Promise<Undeclared[]> {
  const settings = await allSettings();
  return apps.flatMap((app) =>
    Object.entries(settings[app].shape)
      .filter(([name, type]) => holdsAddress.test(name) && type.meta()?.['reaches'] === undefined)
      .map(([variable]) => ({ app, variable })),
  );
}

/** The call graph, put together from the settings of the apps, the contracts and the listeners. */
export async function callGraph(from: 'src' | 'dist' = 'src'): Promise<CallGraph> {
  const settings = await allSettings(from);
  const connections = apps.flatMap((from) =>
    parts
      .filter((part) => Object.values(settings[from].shape).some((type) => type.meta()?.['reaches'] === part))
      .map((to) => ({ from, to })),
  );
  return {
    connections: [...connections, ...fixedConnections],
    // A rule of the house: services never ask each other, the gateway composes.
    requests: byApp((app) => (app === 'gateway' ? servicesWithRequests() : [])),
    events: byApp((app) => servicesFollowedBy(app)),
  };
}

const byApp = <T>(valueOf: (app: App) => T) =>
  Object.fromEntries(apps.map((app) => [app, valueOf(app)])) as Record<App, T>;

type Operations = Record<string, { kind: string; service: string }>;
const operations = (name: string): Operations =>
  (contracts as unknown as Record<string, Operations>)[name] ?? {};

const servicesWithRequests = () =>
  apps.filter((name) => Object.values(operations(name)).some(({ kind }) => kind === 'request'));

const follows = /@Listens\(([^)]*)\)|RecentEvents<typeof ([\w.]+)>/g;

/** The processes whose events an app names, as in `@Listens(offerings.published)`. */
function servicesFollowedBy(app: App): string[] {
  const folder = inRepository('apps', app, 'src');
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(listener|follower)\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(follows)])
    .flatMap(([, list = '', one = '']) => (list || one).split(',').map((event) => event.trim().split('.')));
  const announcing = named.map(([contract = '', name = '']) => {
    const event = operations(contract)[name];
    if (event?.kind !== 'event')
      throw new Error(`${app} follows ${contract}.${name}, which no contract declares.`);
    return event.service;
  });
  return [...new Set(announcing)].toSorted();
}
