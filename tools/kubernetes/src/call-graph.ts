import * as contracts from '@stoa/contracts';
import { apps, type App, inRepository } from '@stoa/system';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allSettings } from './app-settings.ts';

/** The targets of connections, with their names in `reaches` of libs/platform. */
export const callTargets = [
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
export type CallTarget = (typeof callTargets)[number];

/** A connection that a process opens to a target. */
export interface Connection {
  readonly from: string;
  readonly to: CallTarget;
  /** The port, if the target has several. */
  readonly port?: number;
}

/** The connections on the network, and the requests and events that NATS carries. */
export interface CallGraph {
  readonly connections: readonly Connection[];
  readonly requests: Readonly<Record<App, readonly string[]>>;
  readonly events: Readonly<Record<App, readonly string[]>>;
}

/** Connections of engines and of set-up steps, which no settings schema declares. */
const fixedConnections: readonly Connection[] = [
  { from: 'keycloak', to: 'postgres' },
  // Keycloak mails links for a forgotten password.
  { from: 'keycloak', to: 'mail' },
  { from: 'migrate', to: 'postgres' },
  { from: 'dead-letters', to: 'postgres' },
  { from: 'dead-letters', to: 'nats' },
  { from: 'backup', to: 'postgres' },
  { from: 'backup', to: 'nats' },
  { from: 'backup', to: 's3' },
  { from: 'reconcile', to: 'postgres' },
  { from: 'reconcile', to: 's3' },
  { from: 'copy-objects', to: 's3' },
  { from: 'set-up-postgres', to: 'postgres' },
  { from: 'set-up-nats', to: 'nats' },
  { from: 'set-up-minio', to: 's3' },
  { from: 'set-up-keycloak', to: 'keycloak' },
  // OpenTelemetry reads its standard variables itself, so no schema declares the address of the collector.
  ...apps.map((from) => ({ from, to: 'collector' }) as const),
  { from: 'backup', to: 'collector' },
  { from: 'collector', to: 'jaeger', port: 4318 },
  { from: 'collector', to: 'prometheus' },
  { from: 'grafana', to: 'prometheus' },
  { from: 'grafana', to: 'jaeger', port: 16_686 },
];

/**
 * The processes that browsers connect to: the gateway for the site; edge for sign-in, uploads and pictures.
 */
export const publicEntryPoints = ['gateway', 'edge'] as const;

export interface Undeclared {
  readonly app: App;
  readonly variable: string;
}

const holdsAddress = /_(URL|ENDPOINT)$/;

/** The variables that contain an address without declaring its target. */
export async function undeclaredAddresses(): Promise<Undeclared[]> {
  const settings = await allSettings();
  return apps.flatMap((app) =>
    Object.entries(settings[app].shape)
      .filter(([name, type]) => holdsAddress.test(name) && type.meta()?.['reaches'] === undefined)
      .map(([variable]) => ({ app, variable })),
  );
}

/** The call graph, derived from the apps' settings, the contracts and the listeners. */
export async function callGraph(from: 'src' | 'dist' = 'src'): Promise<CallGraph> {
  const settings = await allSettings(from);
  const connections = apps.flatMap((from) =>
    callTargets
      .filter((part) => Object.values(settings[from].shape).some((type) => type.meta()?.['reaches'] === part))
      .map((to) => ({ from, to })),
  );
  return {
    connections: [...connections, ...fixedConnections],
    // Architecture rule: services never call each other; the gateway combines them.
    requests: byApp((app) => (app === 'gateway' ? servicesWithRequests() : [])),
    events: byApp((app) => servicesFollowedBy(app)),
  };
}

const byApp = <T>(valueOf: (app: App) => T) =>
  Object.fromEntries(apps.map((app) => [app, valueOf(app)])) as Record<App, T>;

type Operations = Record<string, Event>;
const operations = (name: string): Operations =>
  (contracts as unknown as Record<string, Operations>)[name] ?? {};

const servicesWithRequests = () =>
  apps.filter((name) => Object.values(operations(name)).some(({ kind }) => kind === 'request'));

const follows = /@Listens\(([^)]*)\)|RecentEvents<typeof ([\w.]+)>/g;

/** The services whose events an app follows, as in `@Listens(offerings.published)`. */
const servicesFollowedBy = (app: App): string[] =>
  [...new Set(eventsFollowedBy(app).map(({ service }) => service))].toSorted();

interface Event {
  readonly kind: string;
  readonly service: string;
  readonly subject: string;
}

function eventsFollowedBy(app: App): Event[] {
  const folder = inRepository('apps', app, 'src');
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(listener|follower)\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(follows)])
    .flatMap(([, list = '', one = '']) => (list || one).split(',').map((event) => event.trim().split('.')));
  return named.map(([contract = '', name = '']) => {
    const event = operations(contract)[name];
    if (event?.kind !== 'event')
      throw new Error(`${app} follows ${contract}.${name}, which no contract declares.`);
    return event;
  });
}

/** An event of the contracts, its publisher and its consumers. */
export interface EventFlow {
  readonly subject: string;
  readonly publisher: string;
  readonly consumers: readonly App[];
}

/** All events of the contracts, in the order of their subjects. */
export function eventFlows(): EventFlow[] {
  const events = Object.values(contracts as unknown as Record<string, Record<string, Partial<Event>>>)
    .flatMap((exported) => (typeof exported === 'object' && exported ? Object.values(exported) : []))
    .filter((one): one is Event => one?.kind === 'event' && typeof one.subject === 'string');
  const consumed = byApp((app) => eventsFollowedBy(app).map(({ subject }) => subject));
  return events
    .map(({ subject, service }) => ({
      subject,
      publisher: service,
      consumers: apps.filter((app) => consumed[app].includes(subject)),
    }))
    .toSorted((a, b) => a.subject.localeCompare(b.subject));
}
