import { openWorkplace, type Parts } from '../parts/start-parts.ts';
import { freePorts } from '../settings/ports.ts';
import { startSystemUnder } from './system.ts';

export interface StartSystemOptions {
  dir?: string;
  log?: (line: string) => void;
  /** Changes of every app's environment, such as shorter intervals. */
  overrides?: Record<string, string>;
}

/** The whole running product on free ports, apart from anybody's data. */
export interface System extends Parts {
  /** The process of a part or an app, for fault drills. */
  pidOf(name: string): number | undefined;
  signal(name: string, signal: NodeJS.Signals): void;
}

/** Starts the whole product for tests. The apps must have been built. */
export async function startSystem({
  dir,
  log = () => undefined,
  overrides,
}: StartSystemOptions = {}): Promise<System> {
  const workplace = openWorkplace(dir, log);
  const ports = await freePorts();
  try {
    const { parts, stop } = await startSystemUnder({
      ...workplace,
      ports,
      temporary: true,
      built: Promise.resolve(),
      ...(overrides && { overrides }),
    });
    const { supervisor } = workplace;
    return {
      ...parts,
      dir: workplace.dir,
      ports,
      pidOf: (name) => supervisor.pidOf(name),
      signal: (name, signal) => supervisor.signal(name, signal),
      async stop() {
        await stop();
        await workplace.close();
      },
    };
  } catch (error) {
    await workplace.close();
    throw error;
  }
}
