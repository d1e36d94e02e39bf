import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTimeOf } from './process-identity.mjs';
import type { ProcessSpec } from './supervised.ts';
import { Supervisor } from './supervisor.ts';
import { answersHttp } from '../parts/answers.ts';
import { freePorts } from '../settings/ports.ts';
import { waitFor } from '../testing/wait-for.ts';

let folder: string;
let lines: string[];
let supervisor: Supervisor;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-supervisor-'));
  lines = [];
  supervisor = new Supervisor({ logs: folder, say: (line) => lines.push(line) });
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

  await waitFor(() => expect(lines).toContain('creators runs again'), { timeout: 5_000 });
  expect(lines[0]).toBe('creators stopped (SIGKILL), restarting immediately (1st time)');
  expect(supervisor.pidOf('creators')).not.toBe(first);
});

it('restarts with exponential backoff', async () => {
  await supervisor.start(shell('sleep 0.1; exit 3', { ready: async () => true }));

  await waitFor(() => expect(lines.filter((line) => line.includes('restarting'))).toHaveLength(3), {
    timeout: 5_000,
  });
  expect(lines.filter((line) => line.includes('restarting'))).toEqual([
    'creators stopped (exit code 3), restarting immediately (1st time)',
    'creators stopped (exit code 3), restarting in 0.5 s (2nd time)',
    'creators stopped (exit code 3), restarting in 1 s (3rd time)',
  ]);
});

it('does not restart a process that never became ready, and reports its output', async () => {
  const starting = supervisor.start(shell('echo no such table; exit 1', { ready: async () => false }));

  await expect(starting).rejects.toThrow(/creators stopped \(exit code 1\).*no such table/s);
  expect(lines).toEqual([]);
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

/** A process that answers at a port, as an app does at its health port. */
const answering = (port: number) => ({
  command: process.execPath,
  args: ['-e', `require('node:http').createServer((_, r) => r.end()).listen(${port}, '127.0.0.1')`],
  ready: () => answersHttp(`http://127.0.0.1:${port}`),
  liveness: { check: () => answersHttp(`http://127.0.0.1:${port}`, 500), withinMs: 2000 },
});

it('kills and restarts a frozen process', async () => {
  const { health: port } = await freePorts();
  await supervisor.start(shell('', answering(port)));
  const first = supervisor.pidOf('creators');

  supervisor.hold('creators', 'SIGSTOP');

  await waitFor(() => expect(lines).toContain('creators runs again'), { timeout: 30_000 });
  expect(lines.slice(0, 2)).toEqual([
    'creators has not answered for 2 s and is killed',
    'creators stopped (SIGKILL), restarting immediately (1st time)',
  ]);
  expect(supervisor.pidOf('creators')).not.toBe(first);
  expect(await answersHttp(`http://127.0.0.1:${port}`)).toBe(true);
}, 60_000);

it('does not kill a process that was frozen for a moment', async () => {
  const { health: port } = await freePorts();
  const spec = answering(port);
  let checks = 0;
  const check = async () => {
    const isAlive = await spec.liveness.check();
    checks += 1;
    return isAlive;
  };
  await supervisor.start(shell('', { ...spec, liveness: { check, withinMs: 30_000 } }));
  supervisor.hold('creators', 'SIGSTOP');
  supervisor.hold('creators', 'SIGCONT');
  await waitFor(() => expect(checks).toBeGreaterThan(1), { timeout: 20_000 });
  expect(lines).toEqual([]);
}, 60_000);
