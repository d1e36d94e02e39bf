import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { inRepository } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { run } from '@stoa/system/processes/run';

/**
 * Files outside of packages that contain the version: in labels and tags of images, commands and examples.
 */
const shownIn = [
  'Dockerfile',
  'k8s/components/images/kustomization.yaml',
  'k8s/overlays/production/kustomization.yaml',
  'k8s/examples/argo-cd/application.yaml',
  'k8s/examples/flux/stoa.yaml',
  'docs/operate/kubernetes.md',
];
const shownAfter = String.raw`newTag: |targetRevision: v|tag: v|ARG VERSION=|TAG=|stoa\/[$\w{},-]+:`;

const changelog = 'CHANGELOG.md';
const unreleased = '## [Unreleased]';
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export const tagOf = (version: string): string => `v${version}`;

interface Change {
  readonly file: string;
  readonly text: string;
}

/** Makes a release of the committed state: sets the version, dates the changelog entry, commits and tags. */
export async function release(args: string[], root = inRepository()): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' } },
  });
  const [version = '', ...more] = positionals;
  const git = (...command: string[]) => run('git', ['-C', root, ...command]);
  const current = versionIn(root);
  if (!form.test(version) || more.length > 0)
    throw new Problem(`Name the version, as in "npm run stoa release ${next(current)}".`);
  if (!isNewer(version, current)) throw new Problem(`${version} is not newer than ${current}.`);
  if ((await git('tag', '--list', tagOf(version))) !== '')
    throw new Problem(`The tag ${tagOf(version)} exists already.`);
  if ((await git('status', '--porcelain')) !== '') throw new Problem('Commit or remove your changes first.');
  await checkFormat(root);

  const notes = dated(read(root, changelog), version, new Date());
  const changes = [{ file: changelog, text: notes }, ...withVersion(root, current, version)];
  if (values['dry-run']) {
    const files = changes.map(({ file }) => `  ${file}`).join('\n');
    console.log(`Would write\n${files}\nand commit and tag them as ${tagOf(version)}, with this entry:\n`);
    console.log(entryOf(notes, version));
    return 0;
  }
  for (const { file, text } of changes) writeFileSync(join(root, file), text);
  await git('commit', '--quiet', '--all', '--message', `chore(release): release ${version}`);
  await git(
    'tag',
    '--annotate',
    tagOf(version),
    '--message',
    `Stoa ${version}\n\n${entryOf(notes, version)}`,
  );
  console.log(`Committed and tagged ${tagOf(version)}. Push both: git push --follow-tags`);
  return 0;
}

/** The tag of the newest release among the ancestors of `HEAD`; undefined without one. */
export async function latestRelease(root = inRepository()): Promise<string | undefined> {
  const tags = await run('git', ['-C', root, 'tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-v:refname']);
  return tags.split('\n').find((tag) => form.test(tag.slice(1)));
}

async function checkFormat(root: string): Promise<void> {
  const prettier = inRepository('node_modules/.bin/prettier');
  await run(prettier, ['--check', '--log-level=warn', '.'], { cwd: root }).catch((cause: unknown) => {
    throw new Problem('Files are not formatted: run "npm run format" and commit.', { cause });
  });
}

/**
 * Moves the unreleased entry of the changelog under the version and its date.
 *
 * @throws Problem if there is no unreleased entry.
 */
export function dated(text: string, version: string, date: Date): string {
  const [before, after] = text.split(`${unreleased}\n`);
  if (before === undefined || after === undefined)
    throw new Problem(`${changelog} has no section "${unreleased}".`);
  const notes = after.split(/^## /m)[0]?.trim();
  if (!notes) throw new Problem(`${changelog} names no change under "${unreleased}".`);
  const heading = `## [${version}] - ${date.toISOString().slice(0, 10)}`;
  return `${before}${unreleased}\n\n${heading}\n${after}`;
}

function entryOf(text: string, version: string): string {
  const [, entry = ''] = text.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm'));
  return (entry.split(/^## /m)[0] ?? '').trim();
}

/** Every file with the version of Stoa, except the changelog. */
export function withVersion(root: string, current: string, version: string): Change[] {
  const { workspaces } = JSON.parse(read(root, 'package.json')) as { workspaces: string[] };
  const packages = globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: root },
  );
  const inPackages = ['package.json', ...packages.toSorted()].map((file) => ({
    file,
    text: ofPackage(read(root, file), current, version),
  }));
  const lock = {
    file: 'package-lock.json',
    text: ofLockfile(read(root, 'package-lock.json'), version, packages.map(dirname)),
  };
  const shown = shownIn
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ file, text: ofText(read(root, file), current, version) }));
  return [...inPackages, lock, ...shown].filter(({ file, text }) => text !== read(root, file));
}

/** A package.json with this version, and the same version of packages of this repository. */
function ofPackage(text: string, current: string, version: string): string {
  return text
    .replace(`"version": "${current}"`, `"version": "${version}"`)
    .replaceAll(new RegExp(`("@stoa/[\\w-]+": )"${escaped(current)}"`, 'g'), `$1"${version}"`);
}

interface Locked {
  version?: string;
  [dependencies: string]: unknown;
}

/** The lockfile with this version of every workspace, and of dependencies between workspaces. */
function ofLockfile(text: string, version: string, workspaces: readonly string[]): string {
  const lock = JSON.parse(text) as { version?: string; packages: Record<string, Locked> };
  lock.version = version;
  for (const path of ['', ...workspaces]) {
    const entry = (lock.packages[path] ??= {});
    entry.version = version;
    for (const kind of ['dependencies', 'devDependencies']) {
      const named = entry[kind] as Record<string, string> | undefined;
      for (const name of Object.keys(named ?? {}))
        if (named && name.startsWith('@stoa/') && form.test(named[name] ?? '')) named[name] = version;
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

const ofText = (text: string, current: string, version: string): string =>
  text.replaceAll(new RegExp(`(${shownAfter})${escaped(current)}(?![\\w.])`, 'g'), `$1${version}`);

const escaped = (version: string) => version.replaceAll('.', '\\.');
const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');
const versionIn = (root: string) => (JSON.parse(read(root, 'package.json')) as { version: string }).version;
const partsOf = (version: string) => version.split('.').map(Number);

function isNewer(version: string, than: string): boolean {
  const [parts, others] = [partsOf(version), partsOf(than)];
  const differs = parts.findIndex((part, place) => part !== others[place]);
  return differs >= 0 && (parts[differs] ?? 0) > (others[differs] ?? 0);
}

const next = (current: string) => {
  const [major = 0, minor = 0] = partsOf(current);
  return `${major}.${minor + 1}.0`;
};
