import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';
import { browserTestFiles, hasDrills, readSelection, workspaceNames } from './selection.ts';

const workspaces = ['offerings', 'web'];
const tests = ['faults/parts.spec.ts', 'journeys/profile.spec.ts'];
const read = (...args: string[]) => readSelection(args, workspaces, tests);

test('npm test without arguments runs everything', () => {
  expect(read()).toEqual({ kind: 'all' });
});

test('npm test accepts workspaces, --affected and --quick', () => {
  expect(read('web')).toEqual({ kind: 'workspaces', names: ['web'] });
  expect(read('web', 'offerings')).toEqual({ kind: 'workspaces', names: ['web', 'offerings'] });
  expect(read('--affected')).toEqual({ kind: 'affected' });
  expect(read('--quick')).toEqual({ kind: 'quick' });
  expect(read('quick')).toEqual({ kind: 'quick' });
});

test('npm test -- e2e accepts files, and passes options to Playwright', () => {
  expect(read('e2e')).toEqual({ kind: 'browser', files: [], options: [] });
  expect(read('e2e', 'journeys/profile', '-g', 'a picture')).toEqual({
    kind: 'browser',
    files: ['journeys/profile'],
    options: ['-g', 'a picture'],
  });
});

for (const args of [
  ['wbe'],
  ['web', 'wbe'],
  ['--quik'],
  ['--afected'],
  ['quick', 'web'],
  ['--affected', 'quick'],
  ['web', '--affected'],
  ['toString'],
])
  test(`npm test refuses "${args.join(' ')}" and lists what exists`, () => {
    expect(() => read(...args)).toThrow(
      /^npm test (has no|takes) .*offerings, web.*e2e.*--affected.*--quick/s,
    );
  });

test('npm test names the nearest match of a wrong argument', () => {
  expect(() => read('web', 'offering')).toThrow(/no "offering"; the nearest is "offerings"/);
  expect(() => read('--quik')).toThrow(/no "--quik"; the nearest is "--quick"/);
  expect(() => read('web', '--affected')).toThrow(/takes --affected alone/);
});

test('npm test -- e2e refuses a file that does not exist, and names the nearest', () => {
  expect(() => read('e2e', 'journeys/proflie')).toThrow(
    /"journeys\/proflie"; the nearest is "journeys\/profile"/,
  );
});

test('the workspaces and the browser tests of the repository are found', () => {
  expect(workspaceNames()).toEqual(expect.arrayContaining(['web', 'offerings', 'contracts', 'stack']));
  expect(workspaceNames()).not.toContain('e2e');
  expect(browserTestFiles()).toContain('journeys/profile.spec.ts');
  expect(browserTestFiles().filter((file) => file.startsWith('src/'))).toEqual([]);
});

test('tests that stop parts never run on the system of npm run dev', () => {
  const drills = (files: string[], ...options: string[]) => hasDrills({ files, options });
  // The last two arguments match only the file name of a drill.
  for (const file of ['faults/parts', 'spec/outages', 'spec', 'telemetry', 'hung', 'account-deletion'])
    expect([file, drills([file])]).toEqual([file, true]);
  expect(drills([], '--project=faults')).toBe(true);
  expect(drills([], '-g', 'a picture', '--project', 'spec-outages')).toBe(true);
  expect(drills(['spec/browse', 'journeys/profile'], '--project=spec')).toBe(false);
  expect(drills([])).toBe(false);
});

test('the workflow of pull requests runs every workspace', () => {
  const workflow = readFileSync(inRepository('.github/workflows/ci.yml'), 'utf8');
  const [, list = ''] = /^ {8}part:\n((?: {10}- .*\n)+)/m.exec(workflow) ?? [];
  const parts = Array.from(list.matchAll(/- (.*)/g), ([, part = '']) => readSelection(part.split(' ')));
  const named = parts.flatMap((part) => (part.kind === 'workspaces' ? part.names : []));
  expect(named.toSorted()).toEqual(workspaceNames());
});
