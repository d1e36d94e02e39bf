import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { RecordedProcess } from './process-groups.ts';
import type { WatchdogMessage } from './watchdog.ts';

/**
 * Records every child process for a watchdog that ends them if this process dies. With `npm start` a file has
 * the same list for the next start, in case the watchdog dies too.
 */
class TrackedProcesses {
  readonly #processes = new Map<number, RecordedProcess>();
  readonly #watchdog: Writable;
  #file: string | undefined;

  constructor() {
    const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watchdog.unref();
    this.#watchdog = watchdog.stdin;
    (watchdog.stdin as unknown as { unref(): void }).unref();
    // Ignores a failure of the watchdog: the product can run without it, and the file still has the list.
    this.#watchdog.on('error', () => undefined);
  }

  add(known: RecordedProcess): void {
    this.#processes.set(known.pid, known);
    this.#send({ add: known });
    this.#write();
  }

  drop(pid: number): void {
    this.#processes.delete(pid);
    this.#send({ drop: pid });
    this.#write();
  }

  /** Removes the folder if this process dies. */
  addFolder(folder: string): void {
    this.#send({ folder });
  }

  dropFolder(folder: string): void {
    this.#send({ keep: folder });
  }

  /** Also writes the list of children to this file from now on. */
  writeTo(file: string): void {
    this.#file = file;
    this.#write();
  }

  #write(): void {
    if (this.#file) writeFileSync(this.#file, JSON.stringify([...this.#processes.values()]), { mode: 0o600 });
  }

  #send(message: WatchdogMessage): void {
    this.#watchdog.write(`${JSON.stringify(message)}\n`);
  }
}

let shared: TrackedProcesses | undefined;

/** The child processes of this process; all share one watchdog. */
export function trackedProcesses(): TrackedProcesses {
  return (shared ??= new TrackedProcesses());
}
