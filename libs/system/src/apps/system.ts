import { partsHandlesOf, startPartsUnder, type PartsHandles } from '../parts/start-parts.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Reporter } from '../progress.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { apps, hasDatabase, partNames, type App, type PartName } from '../settings/names.ts';
import { healthPort, type Ports } from '../settings/ports.ts';
import { requireFreeAppPorts, requireFreeGatewayPort } from '../parts/busy-ports.ts';
import { appProcess, requireBuilt } from './app-process.ts';
import { compiler, type Development, restartMessage, webServer } from './development.ts';
import { readableLines } from './log-lines.ts';
import { migrateAll } from './migrate.ts';

export interface SystemOptions {
  dir: string;
  ports: Ports;
  temporary: boolean;
  durable?: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
  /** Settles when the apps are built. */
  built: Promise<void>;
  verbose?: boolean;
  /** Restarts apps on a change, and serves the web app from its sources. */
  development?: Development | undefined;
  /** Told when pages are served, which is before Keycloak is there. */
  onServing?: (parts: PartsHandles) => void;
  /** Changes of an app's environment. */
  overrides?: Record<string, string>;
  /** Leads a process, such as `creators-2`, another way to the parts than its settings say, as through wires that can be made slow. */
  reroute?: (environment: Readonly<Record<string, string>>, process: string) => Record<string, string>;
}

/**
 * What an app waits for. Only identity waits for Keycloak, which takes longest, and has nothing to do before: pages are
 * served without them, and what cannot be done yet says so.
 */
const needs = (app: App): PartName[] => [
  'nats',
  ...(hasDatabase(app) ? (['postgres'] as const) : []),
  ...(app === 'media' ? (['minio'] as const) : []),
  ...(app === 'identity' ? (['keycloak'] as const) : []),
];

/** Starts the parts, brings the databases up to date and starts each app as soon as what it needs is there. */
export async function startSystemUnder(
  options: SystemOptions,
): Promise<{ parts: PartsHandles; stop(): Promise<void> }> {
  const { ports, reporter, supervisor, built, development, onServing } = options;
  // It is awaited below; a port that is taken ends all before.
  built.catch(() => undefined);
  await requireFreeAppPorts(ports);
  if (development) await requireFreeGatewayPort(ports);
  const ready = new Map(partNames.map((name) => [name, Promise.withResolvers<PartsDescription>()]));
  const after = partNames.map((name) => {
    const hook = async (description: PartsDescription) => {
      if (name === 'postgres') await migrate(description, reporter);
      ready.get(name)?.resolve(description);
    };
    return [name, hook] as const;
  });
  const startingApps = async () => {
    const [description] = await Promise.all([ready.get('nats')?.promise, built]);
    const parts = partsHandlesOf(description as PartsDescription);
    const canStart = (app: App) => Promise.all(needs(app).map((name) => ready.get(name)?.promise));
    const waits = (app: App) => needs(app).includes('keycloak');
    requireBuilt(apps);
    const [first, later] = [apps.filter((app) => !waits(app)), apps.filter(waits)];
    const tools = development ? [webServer(ports, reporter.line), compiler(reporter.line)] : [];
    const started = Promise.all([
      startApps(options, parts, first, canStart),
      ...tools.map((tool) => supervisor.start(tool)),
    ]);
    const serving = started.then(() => onServing?.(parts));
    await Promise.all([serving, startApps(options, parts, later, canStart)]);
  };
  // Whichever fails first is the one to report; the caller ends the other.
  const [{ parts, stop }] = await Promise.all([
    startPartsUnder({ ...options, only: partNames, after: Object.fromEntries(after) }),
    startingApps(),
  ]);
  return {
    parts,
    async stop() {
      await options.supervisor.stop(...apps, ...apps.map(replicaOf));
      await stop();
    },
  };
}

/** Applies what migrations there are, and says which. */
export async function migrate(parts: PartsDescription, reporter: Reporter): Promise<void> {
  const task = reporter.task('Databases', 'looking for migrations');
  const migrated = await migrateAll(parts);
  task.done(migrated.length > 0 ? `migrated ${migrated.join(', ')}` : 'up to date');
}

type AppsOptions = Pick<
  SystemOptions,
  'ports' | 'supervisor' | 'reporter' | 'verbose' | 'development' | 'overrides' | 'reroute'
>;

const straight: SystemOptions['reroute'] & {} = (environment) => ({ ...environment });

/** Starts these apps, or all. */
export async function startApps(
  options: AppsOptions,
  parts: PartsHandles,
  started: readonly App[] = apps,
  canStart: (app: App) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const {
    ports,
    supervisor,
    reporter,
    verbose = false,
    development,
    overrides,
    reroute = straight,
  } = options;
  requireBuilt(started);
  await Promise.all(
    started.map(async (app) => {
      await canStart(app);
      const task = reporter.task(app, 'starting');
      const readable = readableLines(app, verbose);
      const onLine = (line: string) => {
        const text = (development && restartMessage(app, line)) ?? readable(line);
        if (text) reporter.line(text);
      };
      const environment = {
        ...reroute(parts.environment(app), app),
        ...overrides,
        ...(development && app === 'gateway' && { PORT: String(ports.gateway) }),
      };
      await supervisor.start(appProcess(app, { environment, ports, development, onLine }));
      task.done();
    }),
  );
}

/** Those that there are two of where the system is replicated. */
export const replicatedApps = apps.filter((app) => app !== 'edge');

/** What the second process of an app is called. */
export const replicaOf = (app: App): string => `${app}-2`;

/** Starts a second gateway and a second process of each service on ports of their own, as `gateway-2` and so on. */
export async function startReplicas(
  { ports, supervisor, overrides, reroute = straight }: AppsOptions,
  parts: PartsHandles,
): Promise<void> {
  const own = { PORT: String(ports.site) };
  await Promise.all(
    replicatedApps.map((app) => {
      const health = { HEALTH_PORT: String(healthPort(ports, app)) };
      const environment = {
        ...reroute(parts.environment(app), replicaOf(app)),
        ...overrides,
        ...health,
        ...(app === 'gateway' && own),
      };
      return supervisor.start({ ...appProcess(app, { environment, ports }), name: replicaOf(app) });
    }),
  );
}
