import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname } from 'node:path';
import { root } from '@stoa/system/paths';

/** Also keeps in a file what this process says from now on, its errors too. */
export function keepOutput(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...said: unknown[]) => boolean;
    stream.write = (said: string | Uint8Array, ...more: unknown[]) => {
      appendFileSync(file, said);
      return write(said, ...more);
    };
  }
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** What is measured, when and where. */
export function describeRun(): string {
  const changed = git('status', '--porcelain') === '' ? '' : ', with changes that are not committed';
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  return [
    `Commit ${git('rev-parse', '--short', 'HEAD')}${changed}; ${new Date().toISOString()}.`,
    `${cpus().length} cores (${cpus()[0]?.model}), ${gibibytes} GiB, ${type()} ${release()}, Node ${process.versions.node}; ${describeLoad()}.`,
  ].join('\n');
}

/** What else the machine does shows in it: it is to be close to nothing before a run. */
export const describeLoad = (): string =>
  `load of the last minutes ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`;
