import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { plainReporter } from '../progress.ts';
import type * as underTest from './go-module.ts';

// A fake `go` that writes the program of `go build -o <folder>/` and logs its calls beside itself.
const go = `#!/bin/sh
echo "$PWD|$CGO_ENABLED|$*" >> "$(dirname "$0")/calls"
for word; do case $word in */) out=$word ;; esac; done
[ -f fails ] && { echo 'no such module' >&2; exit 1; }
echo built > "\${out}program"
`;

const task = plainReporter(() => undefined).task('programs');
let scratch: string;
let folder: string;
let goModule: typeof underTest;

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'stoa-go-module-'));
  folder = join(scratch, 'module');
  for (const name of ['module', 'bin']) mkdirSync(join(scratch, name));
  writeFileSync(join(scratch, 'bin/go'), go, { mode: 0o755 });
  writeFileSync(join(folder, 'go.mod'), 'module programs\n');
  writeFileSync(join(folder, 'go.sum'), 'one\n');
  jest.replaceProperty(process, 'env', {
    ...process.env,
    STOA_CACHE: join(scratch, 'cache'),
    PATH: [join(scratch, 'bin'), process.env['PATH']].join(delimiter),
  });
  // Loads the module again, because it reads the cache's folder when it is loaded.
  jest.resetModules();
  goModule = await import('./go-module.ts');
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

const aModule = (more: Partial<underTest.GoModule> = {}): underTest.GoModule => ({
  folder,
  name: 'programs',
  cost: '',
  ...more,
});
const calls = () => {
  const file = join(scratch, 'bin/calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

it('builds the tools of go.mod with -mod=readonly, once', async () => {
  const built = await goModule.buildGoModule(aModule({ parallel: 2 }), task);
  expect(built).toBe(goModule.goModulePath(aModule()));
  expect(readdirSync(built)).toEqual(['program']);
  const [call = ''] = calls();
  expect(call).toMatch(
    /^\S+\/module\|0\|build -p 2 -trimpath -ldflags=-s -w -mod=readonly -o \S+\/programs-\S+\/ tool$/,
  );

  expect(await goModule.buildGoModule(aModule({ parallel: 2 }), task)).toBe(built);
  expect(calls()).toHaveLength(1);
});

it('rebuilds when go.mod, go.sum or another pinned version changes', async () => {
  const first = goModule.goModulePath(aModule());
  expect(goModule.goModulePath(aModule({ beside: 'v2' }))).not.toBe(first);
  for (const file of ['go.mod', 'go.sum']) {
    const before = goModule.goModulePath(aModule());
    writeFileSync(join(folder, file), 'another\n');
    expect(goModule.goModulePath(aModule())).not.toBe(before);
  }
});

it('leaves no folder behind after a failed build', async () => {
  const incomplete = aModule({ complete: () => Promise.reject(new Error('no definitions')) });
  await expect(goModule.buildGoModule(incomplete, task)).rejects.toThrow('no definitions');
  writeFileSync(join(folder, 'fails'), '');
  await expect(goModule.buildGoModule(aModule(), task)).rejects.toThrow('no such module');

  const path = goModule.goModulePath(aModule());
  expect(readdirSync(dirname(path))).toEqual([]);
});

it('moves the folder into place only when it is complete', async () => {
  const complete = jest.fn(async (programs: string) => {
    expect(existsSync(goModule.goModulePath(aModule()))).toBe(false);
    writeFileSync(join(programs, 'definitions'), '');
  });
  const built = await goModule.buildGoModule(aModule({ complete }), task);
  expect(readdirSync(built).toSorted()).toEqual(['definitions', 'program']);
});
