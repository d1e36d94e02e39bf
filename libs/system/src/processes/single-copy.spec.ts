import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { identityOf, startTimeOf } from './process-identity.mjs';
import { becomeTheCopy, requireNoCopy } from './single-copy.ts';
import { waitFor } from '../testing/wait-for.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = () => undefined;

it('refuses a second copy in one sentence that names the first', async () => {
  const release = await becomeTheCopy(folder, say);

  const sentence = `Stoa already runs from this checkout (process ${process.pid}): use that one, or end it with Ctrl-C there or "kill ${process.pid}".`;
  await expect(becomeTheCopy(folder, say)).rejects.toThrow(sentence);
  expect(() => requireNoCopy(folder)).toThrow(sentence);

  release();
  expect(() => requireNoCopy(folder)).not.toThrow();
  (await becomeTheCopy(folder, say))();
});

it('takes over from a copy that crashed and ends what it left behind', async () => {
  const left = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  const known = { name: 'nats', ...identityOf(left.pid), stopSignal: 'SIGTERM' };
  writeFileSync(join(folder, 'run.json'), JSON.stringify([known]));
  // The number of a process that runs, but started at another time.
  writeFileSync(join(folder, 'run.lock'), JSON.stringify({ pid: process.pid, startTime: 'another' }));
  const said: string[] = [];

  const release = await becomeTheCopy(folder, (line) => said.push(line));

  await waitFor(() => expect(startTimeOf(left.pid ?? 0)).toBeUndefined(), { timeout: 5_000 });
  expect(said).toEqual(['Ended what an earlier run had left behind: nats']);
  release();
});

it('leaves a process alone that only has the number of one that was left behind', async () => {
  const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  const known = { name: 'nats', pid: stranger.pid, startTime: '1', stopSignal: 'SIGTERM' };
  writeFileSync(join(folder, 'run.json'), JSON.stringify([known]));

  const release = await becomeTheCopy(folder, say);

  expect(startTimeOf(stranger.pid ?? 0)).toBeDefined();
  stranger.kill();
  release();
});
