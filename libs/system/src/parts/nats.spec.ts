import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { inRepository } from '../paths.ts';

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-nats-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs the start script of NATS with a shell script in place of the server. */
function start(script: string) {
  const args = [inRepository('deploy/nats/start.sh'), folder, 'sh', '-c', script];
  const started = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  return { started, output: text(started.stdout) };
}

it('restarts a server that gave up writing to a stream', async () => {
  const line = "JetStream stream 'STREAMS > EVENTS' critical write error: no space left on device";
  const { started, output } = start(`echo "${line}"; while :; do sleep 0.1; done`);

  expect(await once(started, 'exit')).toEqual([null, 'SIGTERM']);
  expect(await output).toContain(line);
  expect(readdirSync(folder)).toEqual([]);
});

it('does not restart a server with other output, and ends with it', async () => {
  const { started, output } = start('echo ready; exit 7');

  expect(await once(started, 'exit')).toEqual([7, null]);
  expect(await output).toBe('ready\n');
});
