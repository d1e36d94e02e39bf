import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { Reporter } from '../progress.ts';
import { builtFiles } from './unchanged.ts';

/** Runs an Nx target in every workspace, without leaving the Nx daemon behind. */
export function nx(
  args: string[],
  { onLine, env }: { onLine?: (line: string) => void; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return run(process.execPath, [inRepository('node_modules/.bin/nx'), ...args], {
    cwd: inRepository(),
    env: {
      ...process.env,
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      NX_NO_CLOUD: 'true',
      FORCE_COLOR: '0',
      ...env,
    },
    onLine,
  });
}

/**
 * Builds every workspace except those of `except`, and nothing if no file has changed. Nx takes unchanged
 * workspaces from its cache.
 */
export async function buildAll(reporter: Reporter, except: readonly string[] = []): Promise<void> {
  const task = reporter.task('Build', 'building all workspaces');
  const files = builtFiles(inRepository(), inRepository('.nx/built'));
  if (except.length === 0 && files.unchanged()) return task.done();
  let built = 0;
  const output: string[] = [];
  try {
    const exclude = except.map((project) => `--exclude=${project}`);
    await nx(['run-many', '-t', 'build', '--outputStyle=stream', ...exclude], {
      onLine: (line) => {
        output.push(line);
        if (/^\s*✔\s+nx run|Successfully ran target/.test(line)) built += 1;
      },
    });
    if (except.length === 0) files.note();
    task.done(built > 0 ? 'built' : 'ready');
  } catch (error) {
    task.fail('failed');
    if (!(error instanceof CommandFailed)) throw error;
    throw new Problem(`The build failed:\n${outputOfFailed(output).slice(-mostLines).join('\n')}`);
  }
}

const mostLines = 25;

/** The output lines of the workspaces that failed in a parallel build; all lines if none is named. */
export function outputOfFailed(lines: readonly string[]): readonly string[] {
  const failed = lines.flatMap((line) => /^- (\S+):build$/.exec(line.trim())?.[1] ?? []);
  const own = lines.filter((line) => failed.some((workspace) => line.startsWith(`${workspace}: `)));
  return own.length > 0 ? own : lines;
}
