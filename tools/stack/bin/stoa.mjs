#!/usr/bin/env node
// Runs on any Node, before anything is installed: plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import console from 'node:console';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setInterval } from 'node:timers';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20) {
  fail(
    `Node ${process.versions.node} is too old: install Node 20 or newer (nodejs.org) and run the command again.`,
  );
}
// Imports after the check of the version, because an old Node would fail on the syntax.
const { install } = await import('./install.mjs');
const { cache, prefetch } = await import('./prefetch.mjs');
const { identityOf, isAlive, parentAndCommandOf } =
  await import('../../../libs/system/src/processes/process-identity.mjs');
try {
  await install(
    root,
    ['start', 'dev', 'test'].includes(process.argv[2] ?? '') ? () => prefetch(root) : undefined,
  );
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
await handOver();

/** Runs the stack tool on Node 24 and passes on signals and the exit code. */
async function handOver() {
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(newerNode(bin), [join(root, 'tools/stack/src/main.ts'), ...process.argv.slice(2)], {
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      // Node's compile cache speeds up the start.
      NODE_COMPILE_CACHE: join(cache, 'compiled'),
    },
    // Opens a channel that closes when this process ends in any way, so that the child notices.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal sends Ctrl-C to both processes. The child stops everything in order, and this one waits for
  // it.
  process.on('SIGINT', () => undefined);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  watchNpm(child);
  child.on('error', (error) => fail(`Node 24 could not be run (${error.message}): run npm ci.`));
  child.on('exit', (code, signal) =>
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)),
  );
}

/**
 * A killed npm passes no signal on, and its shell keeps waiting. So this watches the parent process, and its
 * parent too if the first is only the shell.
 * @param {import('node:child_process').ChildProcess} child
 */
function watchNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = parentAndCommandOf(process.ppid);
  const watched = [process.ppid];
  if (parent && !/\bnpm\b/.test(parent.command)) watched.push(parent.parent);
  const identities = watched.map((pid) => identityOf(pid));
  setInterval(() => {
    if (!identities.every(isAlive)) child.kill('SIGTERM');
  }, 1000).unref();
}

/**
 * @param {string} bin
 * @returns {string}
 */
function newerNode(bin) {
  const brought = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(brought)) return brought;
  if (major > 24 || (major === 24 && minor >= 9)) return process.execPath;
  return fail(
    `Stoa runs on Node 24, and npm has none for ${process.platform} on ${process.arch}: install Node 24 (nodejs.org) and run the command again.`,
  );
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
