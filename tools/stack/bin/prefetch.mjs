import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fillOnce } from '../../../libs/system/src/fetch/fill-once.mjs';

/** The same folder as `cacheFolder` in libs/system/src/paths.ts. */
export const cache =
  process.env.STOA_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stoa');

/**
 * Starts to build Go programs and to fetch Keycloak with Maven while npm installs. It ignores errors: the
 * step that needs the program tries again and reports them. Ends with this process.
 * @param {string} root
 */
export function prefetch(root) {
  if (process.env.STOA_PARTS === 'docker' || answers('docker', 'info')) return;
  const pins = JSON.parse(readFileSync(join(root, 'deploy/versions.json'), 'utf8'));
  for (const [name, { module, version }] of [
    ['minio', pins.minio],
    ['nats-server', pins.nats],
  ]) {
    if (answers(name, '--version')) continue;
    const args = ['install', '-trimpath', '-ldflags=-s -w', `${module}@v${version}`];
    void fillOnce(cache, `${name}-v${version}`, (folder) =>
      succeeds('go', args, { GOBIN: folder, CGO_ENABLED: '0' }),
    ).catch(() => undefined);
  }
  const { artifact, version } = pins.keycloak;
  // Fetches only into Maven's cache; the distribution is built later.
  void fillOnce(cache, `keycloak-${version}-postgres`, async () => {
    const wanted = [`-Dartifact=${artifact}:${version}:zip`, '-Dtransitive=false'];
    await succeeds('mvn', ['-q', '-B', '--strict-checksums', `${pins.mavenDependencyPlugin}:get`, ...wanted]);
    throw new Error('Fetched, but not built yet.');
  }).catch(() => undefined);
}

/** @param {string} program @param {string} question */
const answers = (program, question) => spawnSync(program, [question], { stdio: 'ignore' }).status === 0;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function succeeds(command, args, env) {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  const end = () => child.kill();
  process.once('exit', end);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', resolve);
  });
  process.off('exit', end);
  if (code !== 0) throw new Error(`${command} failed.`);
}
