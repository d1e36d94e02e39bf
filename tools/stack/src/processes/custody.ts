import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { type KnownProcess } from './process-groups.ts';
import type { WatchdogMessage } from './watchdog.ts';

/**
 * Keeps note of every child twice: with a watchdog that ends them when this process dies, and in a file for
 * the next start, in case the watchdog died with it.
 */
export class Custody {
  readonly #processes = new Map<number, KnownProcess>();
  readonly #watchdog: Writable;
  readonly #onChange: ((processes: KnownProcess[]) => void) | undefined;

  /** `file` receives the list of running children; `temporary` is a folder to remove when all is over. */
  constructor({ file, temporary }: { file?: string; temporary?: string } = {}) {
    this.#onChange = file
      ? (processes) => writeFileSync(file, JSON.stringify(processes), { mode: 0o600 })
      : undefined;
    const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watchdog.unref();
    this.#watchdog = watchdog.stdin;
    (watchdog.stdin as unknown as { unref(): void }).unref();
    // Losing the watchdog is no reason to stop: the file remains.
    this.#watchdog.on('error', () => undefined);
    if (temporary) this.#tell({ folder: temporary });
  }

  add(known: KnownProcess): void {
    this.#processes.set(known.pid, known);
    this.#tell({ add: known });
    this.#onChange?.([...this.#processes.values()]);
  }

  drop(pid: number): void {
    this.#processes.delete(pid);
    this.#tell({ drop: pid });
    this.#onChange?.([...this.#processes.values()]);
  }

  /** Lets the watchdog go; it removes the temporary folder on its way out. */
  close(): void {
    this.#watchdog.end();
  }

  #tell(message: WatchdogMessage): void {
    this.#watchdog.write(`${JSON.stringify(message)}\n`);
  }
}
