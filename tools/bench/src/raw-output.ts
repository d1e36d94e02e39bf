import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname } from 'node:path';
import { root } from '@stoa/system/paths';

/** Also writes this process's output and errors to a file from now on. */
export function copyOutputTo(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...chunk: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
      appendFileSync(file, chunk);
      return write(chunk, ...more);
    };
  }
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export function describeRun(): string {
  const changed = git('status', '--porcelain') === '' ? '' : ', with changes that are not committed';
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  return [
    `Commit ${git('rev-parse', '--short', 'HEAD')}${changed}; ${new Date().toISOString()}.`,
    `${cpus().length} cores (${cpus()[0]?.model}), ${gibibytes} GiB, ${type()} ${release()}, Node ${process.versions.node}; ${describeLoad()}.`,
  ].join('\n');
}

/** The load average shows other work on the machine; before a run it should be close to zero. */
export const describeLoad = (): string =>
  `load of the last minutes ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`;
