import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const limit = 8 * 1024 * 1024;

/** A log that begins anew with every start, keeps the one before, and never grows without bound. */
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
      // A full disk must not take the processes down with their log.
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
