import { startPartsUnder, type PartsHandles } from '../parts/start-parts.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Reporter } from '../progress.ts';
import { partNames } from '../settings/names.ts';
import type { Ports } from '../settings/ports.ts';
import { requireFreeAppPorts } from '../parts/busy-ports.ts';
import { appProcess, builtApps } from './app-process.ts';
import { readableLine } from './log-lines.ts';
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
  const { ports, supervisor, reporter, built, overrides } = options;
  await requireFreeAppPorts(ports);
  // A build that fails while the parts start is reported once it is awaited.
  built.catch(() => undefined);
  const { parts, stop } = await startPartsUnder({
    ...options,
    only: partNames,
    after: {
      async postgres(description) {
        const task = reporter.task('Databases', 'looking for migrations');
        const migrated = await migrateAll(description);
        task.done(migrated.length > 0 ? `migrated ${migrated.join(', ')}` : 'up to date');
      },
    },
  });
  await built;
  const apps = builtApps();
  await Promise.all(
    apps.map(async (app) => {
      const task = reporter.task(app, 'starting');
      const environment = { ...parts.environment(app), ...overrides };
      const onLine = (line: string) => {
        const text = readableLine(app, line, options.verbose ?? false);
        if (text) reporter.line(text);
      };
      await supervisor.start(appProcess(app, { environment, ports, onLine }));
      task.done();
    }),
  );
  return {
    parts,
    async stop() {
      await supervisor.stop(...apps);
      await stop();
    },
  };
}
