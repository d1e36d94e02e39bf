import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { KnownProcess } from './process-groups.ts';
import type { WatchdogMessage } from './watchdog.ts';

/**
 * Keeps note of every child with a watchdog that ends them when this process dies, and, for `npm start`, in a
 * file for the next start, in case the watchdog died with it.
 */
class TrackedProcesses {
  readonly #processes = new Map<number, KnownProcess>();
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
    // Losing the watchdog is no reason to stop: the file remains.
    this.#watchdog.on('error', () => undefined);
  }

  add(known: KnownProcess): void {
    this.#processes.set(known.pid, known);
    this.#tell({ add: known });
    this.#write();
  }

  drop(pid: number): void {
    this.#processes.delete(pid);
    this.#tell({ drop: pid });
    this.#write();
  }

  /** Has a folder removed should this process die. */
  addFolder(folder: string): void {
    this.#tell({ folder });
  }

  dropFolder(folder: string): void {
    this.#tell({ keep: folder });
  }

  /** Keeps the list of children in this file from now on. */
  writeTo(file: string): void {
    this.#file = file;
    this.#write();
  }

  #write(): void {
    if (this.#file) writeFileSync(this.#file, JSON.stringify([...this.#processes.values()]), { mode: 0o600 });
  }

  #tell(message: WatchdogMessage): void {
    this.#watchdog.write(`${JSON.stringify(message)}\n`);
  }
}

let shared: TrackedProcesses | undefined;

/** The child processes that this process tracks; there is one watchdog, however many parts a process starts. */
export function trackedProcesses(): TrackedProcesses {
  return (shared ??= new TrackedProcesses());
}
