import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { pins } from './pins.ts';
import { fetchArtifact } from './run-fetch.ts';

const { artifact, version } = pins.zipkin;
const key = `zipkin-${version}`;

/** Whether the trace viewer is in the cache. */
export const hasZipkin = (): boolean => existsSync(cachedPath(key));

/** Fetches Zipkin's server, the trace viewer of `npm start -- --observe`: one file that Java runs. */
export async function zipkinServer(task: Task): Promise<string> {
  const folder = await cached(key, task, async (target) => {
    task.update(`fetching ${version} (130 MB)`);
    await fetchArtifact('copy', `${artifact}:${version}:jar:exec`, target, {
      failed: `Zipkin ${version} could not be fetched with Maven`,
      advice: 'check the network and run the same command again, or leave --observe out.',
    });
    renameSync(join(target, `zipkin-server-${version}-exec.jar`), join(target, 'zipkin.jar'));
  });
  return join(folder, 'zipkin.jar');
}
