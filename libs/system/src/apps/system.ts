import { partsHandlesOf, startPartsUnder, type PartsHandles } from '../parts/start-parts.ts';
import type { FaultControl } from '../parts/fault-control.ts';
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
  /** Resolves when the apps are built. */
  built: Promise<void>;
  verbose?: boolean;
  /** Restarts apps on a change, and serves the web app from its sources. */
  development?: Development | undefined;
  /** Milliseconds without an answer after which an app is killed and restarted. By default none is. */
  unresponsiveMs?: number | undefined;
  /** Called once pages are served, which is before Keycloak is ready. */
  onServing?: (parts: PartsHandles) => void;
  /** Overrides of every app's environment. */
  overrides?: Record<string, string>;
  /**
   * Replaces addresses of parts in the environment of a process such as `creators-2`, for instance by test
   * proxies.
   */
  reroute?: (environment: Readonly<Record<string, string>>, process: string) => Record<string, string>;
}

/**
 * The parts that an app waits for. Only identity waits for Keycloak, the slowest part, because it needs it
 * for everything. The other apps serve pages without it and report what is unavailable.
 */
const needs = (app: App): PartName[] => [
  'nats',
  ...(hasDatabase(app) ? (['postgres'] as const) : []),
  ...(app === 'media' ? (['minio'] as const) : []),
  ...(app === 'identity' ? (['keycloak'] as const) : []),
];

/** Starts the parts, applies migrations, and starts each app as soon as its parts are ready. */
export async function startSystemUnder(
  options: SystemOptions,
): Promise<{ parts: PartsHandles; control: FaultControl; stop(): Promise<void> }> {
  const { ports, reporter, supervisor, built, development, onServing } = options;
  // `built` is awaited below. Without this handler, a rejection that comes with an error about a taken port
  // would be unhandled.
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
  // The first error is the one to report; the caller stops the rest.
  const [{ parts, control, stop }] = await Promise.all([
    startPartsUnder({ ...options, only: partNames, after: Object.fromEntries(after) }),
    startingApps(),
  ]);
  return {
    parts,
    control,
    async stop() {
      await options.supervisor.stop(...apps, ...apps.map(replicaOf));
      await stop();
    },
  };
}

/** Applies pending migrations and reports which. */
export async function migrate(parts: PartsDescription, reporter: Reporter): Promise<void> {
  const task = reporter.task('Databases', 'checking migrations');
  const migrated = await migrateAll(parts);
  task.done(migrated.length > 0 ? `migrated ${migrated.join(', ')}` : 'up to date');
}

type AppsOptions = Pick<
  SystemOptions,
  'ports' | 'supervisor' | 'reporter' | 'verbose' | 'development' | 'unresponsiveMs' | 'overrides' | 'reroute'
>;

const straight: SystemOptions['reroute'] & {} = (environment) => ({ ...environment });

/** Starts the given apps, by default all. */
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
    unresponsiveMs,
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
      await supervisor.start(appProcess(app, { environment, ports, development, unresponsiveMs, onLine }));
      task.done();
    }),
  );
}

/** The apps that run twice in a replicated system. */
export const replicatedApps = apps.filter((app) => app !== 'edge');

/** The name of an app's second process. */
export const replicaOf = (app: App): string => `${app}-2`;

/**
 * Starts a second process of the gateway and each service, with ports of their own and names such as
 * `gateway-2`.
 */
export async function startReplicas(
  { ports, supervisor, unresponsiveMs, overrides, reroute = straight }: AppsOptions,
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
      return supervisor.start({
        ...appProcess(app, { environment, ports, unresponsiveMs }),
        name: replicaOf(app),
      });
    }),
  );
}
