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
  /** Overrides of every app's environment, such as shorter intervals. */
  overrides?: Record<string, string>;
  /** Starts a viewer of traces too, at `ports.traces`. */
  observe?: boolean;
  /**
   * Starts the gateway and each service twice, as in production. The second process of `creators` is called
   * `creators-2`.
   */
  replicated?: boolean;
  /**
   * Apps connect to NATS, Postgres and the object store through test proxies that can delay or block traffic.
   * `each` gives every process proxies of its own, as a pod has its own network; `shared` uses the same for
   * all.
   */
  wired?: false | 'each' | 'shared';
  /**
   * Milliseconds without an answer after which an app is killed and restarted. By default none is, because
   * tests suspend apps.
   */
  unresponsiveMs?: number;
  /** Whether Postgres syncs to disk; tests do without. */
  durable?: boolean;
}

/** The whole product on free ports, with data of its own. */
export interface System extends Omit<Parts, 'control'> {
  /** The address through which other processes stop and start parts and apps of the system. */
  readonly control: ControlAddress;
  /** The ports of the second replicas, if there are any. */
  readonly replicaPorts?: Ports;
  /** The test proxies to the parts, if there are any. */
  readonly wires?: Wires;
  /** The process id of an app. */
  pidOf(name: string): number | undefined;
  /** Sends a signal to the process of an app. */
  signal(name: string, signal: NodeJS.Signals): void;
}

/** Starts the whole product for tests. The apps must be built. */
export async function startSystem({
  dir,
  log = () => undefined,
  overrides,
  observe = false,
  durable = false,
  replicated = false,
  wired = false,
  unresponsiveMs,
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
      unresponsiveMs,
      built: Promise.resolve(),
      overrides: { ...testEnvironment(ports), ...(observe && viewerEnvironment(ports)), ...overrides },
      ...(wires && {
        reroute: (environment: Readonly<Record<string, string>>, process: string) =>
          throughWires(environment, ports, wireEndsOf(process, wires)),
      }),
    };
    const { parts, control, stop } = await startSystemUnder(options);
    const replicaPorts = replicated ? await freePorts() : undefined;
    if (replicaPorts) await startReplicas({ ...options, ports: replicaPorts }, parts);
    const server = await serveControl(control);
    return {
      ...parts,
      dir: workplace.dir,
      ports,
      ...(replicaPorts && { replicaPorts }),
      ...(wires && { wires }),
      control: server.address,
      pidOf: (name) => supervisor.pidOf(name),
      signal: (name, signal) => supervisor.signal(name, signal),
      async stop() {
        server.close();
        await stop();
        await workplace.close();
      },
    };
  } catch (error) {
    await workplace.close();
    throw error;
  }
}
