import { goProgram, goPrograms } from '../fetch/go-programs.ts';
import { openDataFolder, type Parts } from '../parts/start-parts.ts';
import { startViewer, viewerEnvironment } from '../parts/trace-viewer.ts';
import { freePorts, type Ports } from '../settings/ports.ts';
import { serveControl, type ControlAddress } from '../testing/control-server.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { apps } from '../settings/names.ts';
import { freeWires, throughWires, wireEndsOf, type Wires, wiresProcess } from '../testing/wires.ts';
import { replicaOf, replicatedApps, startReplicas, startSystemUnder } from './system.ts';

export interface StartSystemOptions {
  dir?: string;
  log?: (line: string) => void;
  /** Changes of every app's environment, such as shorter intervals. */
  overrides?: Record<string, string>;
  /** Also a viewer of traces, at `ports.traces`. */
  observe?: boolean;
  /** The gateway and each service twice, as in production; the second of `creators` is called `creators-2`. */
  replicated?: boolean;
  /**
   * Apps reach NATS, Postgres and the object store by wires that can be made slow, late or silent: each process by wires of
   * its own, as a pod does, or all by the same.
   */
  wired?: false | 'each' | 'shared';
  /** Postgres syncs to disk, which tests do without. */
  durable?: boolean;
}

/** The whole running product on free ports, apart from anybody's data. */
export interface System extends Omit<Parts, 'supervisor'> {
  /** Where other processes stop and start the system's processes. */
  readonly control: ControlAddress;
  /** The ports of the second replicas, where there are any. */
  readonly replicaPorts?: Ports;
  /** The wires to the parts, where there are any. */
  readonly wires?: Wires;
  /** The process of a part or an app, for fault drills. */
  pidOf(name: string): number | undefined;
  signal(name: string, signal: NodeJS.Signals): void;
}

/** Starts the whole product for tests. The apps must have been built. */
export async function startSystem({
  dir,
  log = () => undefined,
  overrides,
  observe = false,
  durable = false,
  replicated = false,
  wired = false,
}: StartSystemOptions = {}): Promise<System> {
  const workplace = openDataFolder(dir, log);
  const ports = await freePorts();
  const { reporter, supervisor } = workplace;
  try {
    if (observe) await startViewer(ports, supervisor, reporter);
    const processes = [...apps, ...(replicated ? replicatedApps.map(replicaOf) : [])];
    const wires = wired ? await freeWires(wired === 'each' ? processes : undefined) : undefined;
    if (wires) {
      const program = await goProgram(goPrograms.toxiproxy, reporter.task('Wires'));
      await supervisor.start(wiresProcess(program, workplace.dir, ports, wires));
    }
    const options = {
      ...workplace,
      ports,
      temporary: true,
      durable,
      built: Promise.resolve(),
      overrides: { ...testEnvironment(ports), ...(observe && viewerEnvironment(ports)), ...overrides },
      ...(wires && {
        reroute: (environment: Readonly<Record<string, string>>, process: string) =>
          throughWires(environment, ports, wireEndsOf(process, wires)),
      }),
    };
    const { parts, stop } = await startSystemUnder(options);
    const replicaPorts = replicated ? await freePorts() : undefined;
    if (replicaPorts) await startReplicas({ ...options, ports: replicaPorts }, parts);
    const control = await serveControl(supervisor);
    return {
      ...parts,
      dir: workplace.dir,
      ports,
      ...(replicaPorts && { replicaPorts }),
      ...(wires && { wires }),
      control: control.address,
      pidOf: (name) => supervisor.pidOf(name),
      signal: (name, signal) => supervisor.signal(name, signal),
      async stop() {
        control.close();
        await stop();
        await workplace.close();
      },
    };
  } catch (error) {
    await workplace.close();
    throw error;
  }
}
