import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { lastLine } from './go-programs.ts';
import { pins } from './pins.ts';

const { artifact, version } = pins.zipkin;
const key = `zipkin-${version}`;

/** Whether the trace viewer lies in the cache. */
export const hasZipkin = (): boolean => existsSync(cachedPath(key));

/** Zipkin's server, the trace viewer of `npm start -- --observe`: one file that Java runs. */
export async function zipkinServer(task: Task): Promise<string> {
  const folder = await cached(key, task, async (target) => {
    task.update(`fetching ${version} (130 MB)`);
    const args = [
      '--quiet',
      '--batch-mode',
      // Without this a wrong checksum is only a warning.
      '--strict-checksums',
      `${pins.mavenDependencyPlugin}:copy`,
      `-Dartifact=${artifact}:${version}:jar:exec`,
      `-DoutputDirectory=${join(target, 'fetched')}`,
    ];
    try {
      await run('mvn', args, { cwd: target });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const said =
        error.output.split('\n').find((line) => line.includes('[ERROR]')) ?? lastLine(error.output);
      throw new Problem(
        `Zipkin ${version} could not be fetched with Maven (${said.trim()}): check the network and run the same command again, or leave --observe out.`,
      );
    }
    renameSync(join(target, 'fetched', `zipkin-server-${version}-exec.jar`), join(target, 'zipkin.jar'));
    rmSync(join(target, 'fetched'), { recursive: true });
  });
  return join(folder, 'zipkin.jar');
}
