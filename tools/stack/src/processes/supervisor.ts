import { join } from 'node:path';
import { Custody } from './custody.ts';
import { LogFile } from './log-file.ts';
import { Supervised, type ProcessSpec } from './supervised.ts';

export interface SupervisorOptions {
  /** The folder for `<name>.log`. */
  logs: string;
  say: (line: string) => void;
  /** Where the list of children is written for the next start. */
  file?: string;
  /** A folder that is removed when all is over, even after a crash. */
  temporary?: string;
}

/** Starts processes, keeps them running, and leaves none behind. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #custody: Custody;
  readonly #running = new Map<string, Supervised>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#custody = new Custody({ file: options.file, temporary: options.temporary });
  }

  /** Starts a process and resolves when it is ready. */
  async start(spec: ProcessSpec): Promise<void> {
    const log = new LogFile(join(this.#options.logs, `${spec.name}.log`));
    const supervised = new Supervised({ spec, log, custody: this.#custody, say: this.#options.say });
    this.#running.set(spec.name, supervised);
    try {
      await supervised.start();
    } catch (error) {
      this.#running.delete(spec.name);
      throw error;
    }
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

  /** Stops what still runs and lets the watchdog go. */
  async close(): Promise<void> {
    await this.stop(...this.names());
    this.#custody.close();
  }
}
