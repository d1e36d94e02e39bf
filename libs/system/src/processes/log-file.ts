import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const limit = 8 * 1024 * 1024;

/** A log file of limited size. Each start begins a new one and keeps the previous one. */
export class LogFile {
  readonly path: string;
  #fd: number;
  #size = 0;
  #open = true;
  readonly #last: string[] = [];

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#fd = this.#begin();
  }

  write(line: string): void {
    this.#last.push(line);
    if (this.#last.length > 25) this.#last.shift();
    if (!this.#open) return;
    const bytes = Buffer.from(`${line}\n`);
    if (this.#size + bytes.length > limit) {
      closeSync(this.#fd);
      this.#fd = this.#begin();
      this.#size = 0;
    }
    try {
      writeSync(this.#fd, bytes);
      this.#size += bytes.length;
    } catch {
      // Ignores a failed write: a full disk must not end the processes that write the log.
    }
  }

  /** The last lines, for an error message. */
  tail(): string {
    return this.#last.join('\n');
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }

  #begin(): number {
    if (existsSync(this.path)) renameSync(this.path, this.path.replace(/(\.log)?$/, '.1$1'));
    return openSync(this.path, 'a', 0o600);
  }
}
