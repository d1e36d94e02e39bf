import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPorts } from '../settings/ports.ts';
import { describeParts } from '../settings/description.ts';
import { temporarySecrets } from '../settings/secrets.ts';
import { describeDevelopment, runningDevelopment } from './development-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-dev-'));
afterAll(() => rmSync(folder, { recursive: true }));

const system = {
  ...describeParts(defaultPorts({}), temporarySecrets()),
  control: { url: 'http://127.0.0.1:1', token: 'token' },
};

test('tests find the running development system until it ends', () => {
  const file = join(folder, 'running.json');
  expect(runningDevelopment(file)).toBeUndefined();
  const forget = describeDevelopment(system, file);
  expect(runningDevelopment(file)).toBe(file);
  forget();
  expect(runningDevelopment(file)).toBeUndefined();
});

test('the description of a development system that was killed is ignored', () => {
  const file = join(folder, 'killed.json');
  describeDevelopment(system, file);
  const description = JSON.parse(readFileSync(file, 'utf8')) as object;
  // The recorded process id now belongs to another process.
  const killed = { ...description, process: { pid: process.pid, startTime: 'earlier' } };
  writeFileSync(file, JSON.stringify(killed));
  expect(runningDevelopment(file)).toBeUndefined();
});
