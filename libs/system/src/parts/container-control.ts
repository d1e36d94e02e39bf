import type { ContainerRuntimeClient } from 'testcontainers';
import { partNames, type PartName } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { FaultControl } from './fault-control.ts';
import { untilReady } from './readiness.ts';

export type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

/** Seconds until Docker kills a container that does not stop; the same as for a process. */
const graceSeconds = 15;

/** Finds the container of a part; undefined if it has none. */
export type FindContainer = (part: PartName) => Promise<Container | undefined>;

/** Controls parts in containers, and passes all other names to `processes`. */
export function containerControl(
  find: FindContainer,
  parts: PartsDescription,
  processes: FaultControl,
): FaultControl {
  const containers = new ContainerControl(find, parts);
  const of = (name: string) => (partNames.some((part) => part === name) ? containers : processes);
  return {
    stop: (name) => of(name).stop(name),
    kill: (name) => of(name).kill(name),
    crash: (name) => of(name).crash(name),
    pause: (name) => of(name).pause(name),
    resume: (name) => of(name).resume(name),
    start: (name) => of(name).start(name),
    reload: (name) => of(name).reload(name),
    runOf: (name) => of(name).runOf(name),
  };
}

/** The containers of one Compose project, such as that of `npm start`. */
export const containersOfProject =
  (project: string): FindContainer =>
  async (part) => {
    // Loads testcontainers lazily: the package is large, and only faults need it.
    const { getContainerRuntimeClient } = await import('testcontainers');
    const { container: client } = await getContainerRuntimeClient();
    const label = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${part}`];
    const [found] = await client.dockerode.listContainers({ all: true, filters: { label } });
    return found && client.getById(found.Id);
  };

class ContainerControl implements FaultControl {
  readonly #find: FindContainer;
  readonly #parts: PartsDescription;

  constructor(find: FindContainer, parts: PartsDescription) {
    this.#find = find;
    this.#parts = parts;
  }

  async stop(name: string): Promise<void> {
    const container = await this.#containerOf(name);
    const { Running } = await stateOf(container);
    if (Running) await container.stop({ t: graceSeconds });
  }

  async kill(name: string): Promise<void> {
    await (await this.#containerOf(name)).kill();
  }

  async crash(name: string): Promise<void> {
    const container = await this.#containerOf(name);
    // Docker counts this as a manual stop, after which no restart policy applies.
    await container.kill();
    await container.start();
  }

  async pause(name: string): Promise<void> {
    const container = await this.#containerOf(name);
    const { Paused } = await stateOf(container);
    if (!Paused) await container.pause();
  }

  async resume(name: string): Promise<void> {
    const container = await this.#containerOf(name);
    const { Paused } = await stateOf(container);
    if (Paused) await container.unpause();
  }

  async start(name: string): Promise<void> {
    const container = await this.#containerOf(name);
    const { Running } = await stateOf(container);
    if (Running) return;
    await container.start();
    await untilReady(name as PartName, this.#parts, () => endOf(container, name));
  }

  async reload(name: string): Promise<void> {
    await (await this.#containerOf(name)).kill({ signal: 'SIGHUP' });
  }

  async runOf(name: string): Promise<string | undefined> {
    const { Running, StartedAt } = await stateOf(await this.#containerOf(name));
    return Running ? StartedAt : undefined;
  }

  async #containerOf(name: string): Promise<Container> {
    const container = await this.#find(name as PartName);
    if (!container) throw new Error(`${name} has no container here`);
    return container;
  }
}

const stateOf = async (container: Container) => (await container.inspect()).State;

/** Why a container has stopped, with the end of its log; undefined while it runs. */
export async function endOf(container: Container, name: string): Promise<string | undefined> {
  const { Running, ExitCode } = await stateOf(container);
  if (Running) return undefined;
  const log = await container.logs({ stdout: true, stderr: true, tail: 25 });
  // Each chunk begins with a binary header.
  const text = log.toString('latin1').replaceAll(/[^\t\n\x20-\x7e]/g, '');
  return `${name} stopped (exit code ${ExitCode}). Its log ends with:\n${text}`;
}
