import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { identityOf, startTimeOf } from './process-identity.mjs';
import { acquireSingleInstance, requireNoOtherInstance } from './single-instance.ts';
import { waitFor } from '../testing/wait-for.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = () => undefined;

it('refuses a second instance and names the process of the first', async () => {
  const release = await acquireSingleInstance(folder, say);

  const sentence = `Stoa already runs from this checkout (process ${process.pid}): use that one, or end it with Ctrl-C there or "kill ${process.pid}".`;
  await expect(acquireSingleInstance(folder, say)).rejects.toThrow(sentence);
  expect(() => requireNoOtherInstance(folder)).toThrow(sentence);

  release();
  expect(() => requireNoOtherInstance(folder)).not.toThrow();
  (await acquireSingleInstance(folder, say))();
});

it('takes over from a crashed instance and ends the processes that it left running', async () => {
  const left = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  const known = { name: 'nats', ...identityOf(left.pid), stopSignal: 'SIGTERM' };
  writeFileSync(join(folder, 'run.json'), JSON.stringify([known]));
  // The id of a running process with another start time.
  writeFileSync(join(folder, 'run.lock'), JSON.stringify({ pid: process.pid, startTime: 'another' }));
  const lines: string[] = [];

  const release = await acquireSingleInstance(folder, (line) => lines.push(line));

  await waitFor(() => expect(startTimeOf(left.pid ?? 0)).toBeUndefined(), { timeout: 5_000 });
  expect(lines).toEqual(['Ended processes that an earlier run had left running: nats']);
  release();
});

it('does not end a process that reuses the pid of a recorded one', async () => {
  const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  const known = { name: 'nats', pid: stranger.pid, startTime: '1', stopSignal: 'SIGTERM' };
  writeFileSync(join(folder, 'run.json'), JSON.stringify([known]));

  const release = await acquireSingleInstance(folder, say);

  expect(startTimeOf(stranger.pid ?? 0)).toBeDefined();
  stranger.kill();
  release();
});
