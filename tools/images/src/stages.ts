// Runs the Dockerfile's stages without a container engine. It copies the build context to an empty folder,
// runs `npm ci` and the build there, assembles the images and starts them. Takes minutes: `npm run stoa
// image-stages`.
import dockerignore from '@balena/dockerignore';
import { run } from '@stoa/system';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'stoa-stages-'));
const quietNx = { NX_DAEMON: 'false' };

try {
  await step('context', () => copyContext(repository, folder));
  await step('npm ci', async () => {
    await here('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    await here('npm', 'rebuild', ...allowedScripts());
  });
  await step('build', () => here('npx', 'nx', 'run-many', '-t', 'build'));
  await step('images', () => here('npm', 'run', 'contract', '-w', '@stoa/images'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function allowedScripts(): string[] {
  const { allowScripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  return Object.keys(allowScripts).filter((name) => allowScripts[name]);
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const since = Date.now();
  await work();
  console.log(`${name}: done (${((Date.now() - since) / 1000).toFixed(1)} s)`);
}

function here(command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...quietNx };
  return run(command, args, {
    cwd: folder,
    env,
    onLine: (line) => /: \d+ MB$/.test(line) && console.log(line),
  });
}

function copyContext(root: string, to: string): Promise<void> {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8');
  const sent = dockerignore.default().add(rules).createFilter();
  const filter = (path: string) => path === root || sent(relative(root, path));
  return cp(root, to, { recursive: true, filter });
}
