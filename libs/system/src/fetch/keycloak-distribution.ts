import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { run } from '../processes/run.ts';
import { type Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { pins } from './pins.ts';
import { fetchArtifact } from './run-fetch.ts';

/** Build-time options of Keycloak. With `--optimized` it refuses to start with other values. */
export const keycloakBuildOptions = { KC_DB: 'postgres', KC_HEALTH_ENABLED: 'true' } as const;

const { artifact, version } = pins.keycloak;
const key = `keycloak-${version}-postgres`;

/** The folder of the distribution in the cache. */
export const keycloakFolder = cachedPath(key);

/** Fetches the Keycloak distribution and builds it for Postgres, once. */
export async function keycloakDistribution(task: Task): Promise<string> {
  return cached(key, task, async (folder) => {
    task.update(`fetching ${version} (160 MB)`);
    await fetchArtifact('unpack', `${artifact}:${version}:zip`, folder, {
      failed: `Keycloak ${version} could not be fetched with Maven`,
      advice: 'check the network and run the same command again, or start Docker.',
    });
    rmSync(join(folder, 'markers'), { recursive: true, force: true });
    const [unpacked] = readdirSync(folder).filter((name) => name.startsWith('keycloak-'));
    if (!unpacked)
      throw new Problem(
        'The Keycloak archive from Maven holds no keycloak folder: run the same command again.',
      );
    for (const name of readdirSync(join(folder, unpacked)))
      renameSync(join(folder, unpacked, name), join(folder, name));
    task.update('building it for Postgres');
    await run(join(folder, 'bin/kc.sh'), ['build'], {
      env: { ...baseEnvironment(), ...keycloakBuildOptions },
    });
  });
}
