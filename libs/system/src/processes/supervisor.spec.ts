import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTimeOf } from './process-identity.mjs';
import type { ProcessSpec } from './supervised.ts';
import { Supervisor } from './supervisor.ts';
import { waitFor } from '../testing/wait-for.ts';

let folder: string;
let said: string[];
let supervisor: Supervisor;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-supervisor-'));
  said = [];
  supervisor = new Supervisor({ logs: folder, say: (line) => said.push(line) });
});
afterEach(async () => {
  await supervisor.close();
  rmSync(folder, { recursive: true });
});

const shell = (script: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  name: 'creators',
  command: 'sh',
  args: ['-c', script],
  env: process.env,
  ready: async () => true,
  ...more,
});

it('restarts a killed process and logs it on one line', async () => {
  await supervisor.start(shell('exec sleep 300'));
  const first = supervisor.pidOf('creators');

  supervisor.signal('creators', 'SIGKILL');

  await waitFor(() => expect(said).toContain('creators runs again'), { timeout: 5_000 });
  expect(said[0]).toBe('creators stopped (SIGKILL), restarting at once (1st time)');
  expect(supervisor.pidOf('creators')).not.toBe(first);
});

it('restarts with exponential backoff', async () => {
  await supervisor.start(shell('sleep 0.1; exit 3', { ready: async () => true }));

  await waitFor(() => expect(said.filter((line) => line.includes('restarting'))).toHaveLength(3), {
    timeout: 5_000,
  });
  expect(said.filter((line) => line.includes('restarting'))).toEqual([
    'creators stopped (exit code 3), restarting at once (1st time)',
    'creators stopped (exit code 3), restarting in 0.5 s (2nd time)',
    'creators stopped (exit code 3), restarting in 1 s (3rd time)',
  ]);
});

it('does not restart a process that never became ready, and reports its output', async () => {
  const starting = supervisor.start(shell('echo no such table; exit 1', { ready: async () => false }));

  await expect(starting).rejects.toThrow(/creators stopped \(exit code 1\).*no such table/s);
  expect(said).toEqual([]);
});

it('kills a process and its children after the grace period', async () => {
  const spec = shell('trap "" TERM; sleep 300 & echo $!; while :; do sleep 1; done', { graceMs: 200 });
  let child = 0;
  await supervisor.start({ ...spec, onLine: (line) => (child = Number(line)) });
  await waitFor(() => expect(child).toBeGreaterThan(0), { timeout: 5_000 });
  const leader = supervisor.pidOf('creators') ?? 0;

  await supervisor.stop('creators');

  await waitFor(() => expect([leader, child].map(startTimeOf)).toEqual([undefined, undefined]), {
    timeout: 5_000,
  });
});

it('rotates the log at every start and keeps the previous one', async () => {
  for (const word of ['first', 'second']) {
    await supervisor.start(shell(`echo ${word}; exec sleep 300`));
    await waitFor(() => expect(readFileSync(join(folder, 'creators.log'), 'utf8')).toBe(`${word}\n`), {
      timeout: 5_000,
    });
    await supervisor.stop('creators');
  }
  expect(readFileSync(join(folder, 'creators.1.log'), 'utf8')).toBe('first\n');
  expect(existsSync(join(folder, 'creators.log'))).toBe(true);
});
