import { startPartsUnder, type PartsHandles } from '../parts/start-parts.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Reporter } from '../progress.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { partNames } from '../settings/names.ts';
import type { Ports } from '../settings/ports.ts';
import { requireFreeAppPorts } from '../parts/busy-ports.ts';
import { appProcess, builtApps } from './app-process.ts';
import { readableLines } from './log-lines.ts';
import { migrateAll } from './migrate.ts';

export interface SystemOptions {
  dir: string;
  ports: Ports;
  temporary: boolean;
  supervisor: Supervisor;
  reporter: Reporter;
  /** Settles when the apps are built. */
  built: Promise<void>;
  verbose?: boolean;
  /** Changes of an app's environment. */
  overrides?: Record<string, string>;
}

/** Starts the parts, brings the databases up to date and starts the apps. */
export async function startSystemUnder(
  options: SystemOptions,
): Promise<{ parts: PartsHandles; stop(): Promise<void> }> {
  const { ports, reporter, built } = options;
  await requireFreeAppPorts(ports);
  const starting = startPartsUnder({
    ...options,
    only: partNames,
    after: { postgres: (description) => migrate(description, reporter) },
  });
  // Whichever fails first is the one to report; the caller ends the other.
  const [{ parts, stop }] = await Promise.all([starting, built]);
  const stopApps = await startApps(options, parts);
  return {
    parts,
    async stop() {
      await stopApps();
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

type AppsOptions = Pick<SystemOptions, 'ports' | 'supervisor' | 'reporter' | 'verbose' | 'overrides'>;

/** Starts every app that has been built and answers how to stop them. */
export async function startApps(options: AppsOptions, parts: PartsHandles): Promise<() => Promise<void>> {
  const { ports, supervisor, reporter, verbose = false, overrides } = options;
  const apps = builtApps();
  await Promise.all(
    apps.map(async (app) => {
      const task = reporter.task(app, 'starting');
      const readable = readableLines(app, verbose);
      const onLine = (line: string) => {
        const text = readable(line);
        if (text) reporter.line(text);
      };
      const environment = { ...parts.environment(app), ...overrides };
      await supervisor.start(appProcess(app, { environment, ports, onLine }));
      task.done();
    }),
  );
  return () => supervisor.stop(...apps);
}
