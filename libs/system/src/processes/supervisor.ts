import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { LogFile } from './log-file.ts';
import { signalTree } from './process-groups.ts';
import { Supervised, type ProcessSpec } from './supervised.ts';

export interface SupervisorOptions {
  /** The folder for `<name>.log`. */
  logs: string;
  say: (line: string) => void;
}

/** Starts processes, keeps them running, and leaves none behind. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #running = new Map<string, Supervised>();
  readonly #specs = new Map<string, ProcessSpec>();
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Starts a process and resolves when it is ready. */
  async start(spec: ProcessSpec): Promise<void> {
    // A part that was being fetched when everything ended.
    if (this.#closed) throw new Problem(`${spec.name} was not started: everything is being stopped.`);
    const log = new LogFile(join(this.#options.logs, `${spec.name}.log`));
    const supervised = new Supervised({ spec, log, say: this.#options.say });
    this.#running.set(spec.name, supervised);
    this.#specs.set(spec.name, spec);
    try {
      await supervised.start();
    } catch (error) {
      this.#running.delete(spec.name);
      throw error;
    }
  }

  /** Starts a process that was stopped, as it was started before. */
  async startAgain(name: string): Promise<void> {
    const spec = this.#specs.get(name);
    if (!spec) throw new Error(`${name} was never started`);
    if (!this.#running.has(name)) await this.start(spec);
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.pid;
  }

  names(): string[] {
    return [...this.#running.keys()];
  }

  /** Stops these processes at the same time; names that do not run are fine. */
  async stop(...names: string[]): Promise<void> {
    const stopping = names.flatMap((name) => this.#running.get(name) ?? []);
    for (const { name } of stopping) this.#running.delete(name);
    await Promise.all(stopping.map((supervised) => supervised.stop()));
  }

  /** Sends a signal to one process, as a fault drill does. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.pidOf(name);
    if (pid === undefined) throw new Error(`${name} does not run`);
    process.kill(pid, signal);
  }

  /** Holds one process and all it has started, as a machine does that hangs; `SIGCONT` lets it go on. */
  hold(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.pidOf(name);
    if (pid === undefined) throw new Error(`${name} does not run`);
    signalTree(pid, signal);
  }

  /** Stops everything, these groups of names first and in their order; nothing can be started after that. */
  async close(order: readonly (readonly string[])[] = []): Promise<void> {
    this.#closed = true;
    for (const names of order) await this.stop(...names);
    await this.stop(...this.names());
  }
}
