import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { CommandFailed, run } from '../processes/run.ts';
import { type Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { lastLine } from './go-programs.ts';
import { pins } from './pins.ts';

/** Build-time options of Keycloak; with `--optimized` a start that disagrees with them is refused. */
export const keycloakBuildOptions = { KC_DB: 'postgres', KC_HEALTH_ENABLED: 'true' } as const;

const { artifact, version } = pins.keycloak;
const key = `keycloak-${version}-postgres`;

/** Where the distribution lies once it has been fetched. */
export const keycloakFolder = cachedPath(key);

/** The Keycloak distribution, fetched and built for Postgres once. */
export async function keycloakDistribution(task: Task): Promise<string> {
  return cached(key, task, async (folder) => {
    task.update(`fetching ${version} (160 MB)`);
    await fetchArtifact(`${artifact}:${version}:zip`, folder);
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

async function fetchArtifact(artifact: string, folder: string): Promise<void> {
  const args = [
    '--quiet',
    '--batch-mode',
    // Without this a wrong checksum is only a warning.
    '--strict-checksums',
    `${pins.mavenDependencyPlugin}:unpack`,
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${folder}`,
    `-DmarkersDirectory=${join(folder, 'markers')}`,
  ];
  try {
    await run('mvn', args, { cwd: folder });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const said = error.output.split('\n').find((line) => line.includes('[ERROR]')) ?? lastLine(error.output);
    throw new Problem(
      `Keycloak ${pins.keycloak.version} could not be fetched with Maven (${said.trim()}): check the network and run the same command again, or start Docker.`,
    );
  }
  rmSync(join(folder, 'markers'), { recursive: true, force: true });
}
