import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inRepository } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { nearestName } from '../nearest-name.ts';

/** The selection that the arguments of `npm test` describe. */
export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'affected' | 'quick' }
  | { readonly kind: 'workspaces'; readonly names: readonly string[] }
  | {
      readonly kind: 'browser';
      readonly files: readonly string[];
      /** Options of Playwright, with their values. */
      readonly options: readonly string[];
    };

/**
 * Reads the arguments of `npm test`.
 *
 * @throws Problem that lists the valid names, for an unknown one.
 */
export function readSelection(
  args: readonly string[],
  workspaces = workspaceNames(),
  browserTests = browserTestFiles(),
): Selection {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'all' };
  if (first === 'e2e') return readBrowser(rest, browserTests);
  if (rest.length === 0 && first === '--affected') return { kind: 'affected' };
  if (rest.length === 0 && ['--quick', 'quick'].includes(first)) return { kind: 'quick' };
  const unknown = args.find((name) => !workspaces.includes(name));
  if (unknown === undefined) return { kind: 'workspaces', names: args };
  const nearest = nearestName(unknown, [...workspaces, 'e2e', '--affected', '--quick']);
  throw new Problem(
    `npm test ${nearest === unknown ? `takes ${unknown} alone` : `has no "${unknown}"; the nearest is "${nearest}"`}. Its forms are:
  npm test                              everything
  npm test -- <workspace> …             ${workspaces.join(', ')}
  npm test -- e2e [<file> …] [<option>] browser tests, with options of Playwright
  npm test -- --affected                the workspaces that a change since main concerns
  npm test -- --quick                   what changed, and the core journeys`,
  );
}

/** The first argument that is an option starts Playwright's options. */
function readBrowser(args: readonly string[], tests: readonly string[]): Selection {
  const start = args.findIndex((arg) => arg.startsWith('-'));
  const files = start < 0 ? args : args.slice(0, start);
  const unknown = files.find((file) => !tests.some((test) => test.includes(file)));
  if (unknown === undefined) return { kind: 'browser', files, options: start < 0 ? [] : args.slice(start) };
  throw new Problem(
    `No file of browser tests matches "${unknown}"; the nearest is "${nearestName(unknown, tests.map(withoutEnding))}". There are:
  ${tests.join('\n  ')}`,
  );
}

const withoutEnding = (file: string) => file.replace('.spec.ts', '');

/** The workspaces with code to check, without the package prefix. */
export function workspaceNames(): string[] {
  const scripts = globSync('{apps,libs,tools}/*/tsconfig.json', { cwd: inRepository() });
  const names = scripts.map((file) => basename(dirname(file))).filter((name) => name !== 'e2e');
  return names.toSorted();
}

/** Files of browser tests and drills, such as `journeys/profile.spec.ts`. */
export function browserTestFiles(): string[] {
  return ['apps/e2e', 'tools/drills']
    .flatMap((folder) =>
      globSync('*/**/*.spec.ts', { cwd: inRepository(folder), exclude: ['node_modules', 'src'] }),
    )
    .toSorted();
}

/** Folders of tests that stop or slow parts of a system, and their Playwright projects. */
const drills = ['faults', 'full-disks', 'telemetry', 'spec/outages', 'spec-outages'];

/** Whether a chosen test stops or slows parts, which must not happen to a developer's system. */
export function hasDrills(
  { files, options }: Pick<Extract<Selection, { kind: 'browser' }>, 'files' | 'options'>,
  tests = browserTestFiles(),
): boolean {
  const chosen = tests.filter((test) => files.some((file) => test.includes(file)));
  const projects = options.flatMap((option, at) =>
    option === '--project' ? (options[at + 1] ?? []) : option.replace(/^--project=/, ''),
  );
  return (
    chosen.some((test) => drills.some((folder) => test.startsWith(`${folder}/`))) ||
    projects.some((project) => drills.includes(project))
  );
}
