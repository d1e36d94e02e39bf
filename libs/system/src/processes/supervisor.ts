import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { LogFile } from './log-file.ts';
import { signalTree } from './process-groups.ts';
import { Supervised, type ProcessSpec } from './supervised.ts';

export interface SupervisorOptions {
  /** The folder of the log files `<name>.log`. */
  logs: string;
  say: (line: string) => void;
}

/** Starts processes, restarts those that end, and stops all of them. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #running = new Map<string, Supervised>();
  readonly #specs = new Map<string, ProcessSpec>();
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  async start(spec: ProcessSpec): Promise<void> {
    // The supervisor was closed while this start was waiting for a fetch.
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

  /** Starts a stopped process with its original specification. */
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

  /** Stops these processes concurrently; ignores names that are not running. */
  async stop(...names: string[]): Promise<void> {
    const stopping = names.flatMap((name) => this.#running.get(name) ?? []);
    for (const { name } of stopping) this.#running.delete(name);
    await Promise.all(stopping.map((supervised) => supervised.stop()));
  }

  /** Sends a signal to one process, for fault drills. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.pidOf(name);
    if (pid === undefined) throw new Error(`${name} does not run`);
    process.kill(pid, signal);
  }

  /** Suspends a process and its descendants, as a hung machine would; `SIGCONT` resumes them. */
  hold(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.pidOf(name);
    if (pid === undefined) throw new Error(`${name} does not run`);
    signalTree(pid, signal);
  }

  /**
   * Stops all processes: first these groups in their order, then the rest. Nothing can be started afterwards.
   */
  async close(order: readonly (readonly string[])[] = []): Promise<void> {
    this.#closed = true;
    for (const names of order) await this.stop(...names);
    await this.stop(...this.names());
  }
}
