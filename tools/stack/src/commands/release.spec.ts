import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { latestRelease, release, withVersion } from './release.ts';

const files = {
  'package.json': {
    name: 'stoa',
    version: '1.0.0',
    workspaces: ['apps/*'],
    devDependencies: { jest: '1.0.0' },
  },
  'apps/web/package.json': {
    name: '@stoa/web',
    version: '1.0.0',
    dependencies: { '@stoa/contracts': '1.0.0', react: '1.0.0' },
  },
  'apps/contracts/package.json': { name: '@stoa/contracts', version: '1.0.0' },
  'package-lock.json': {
    name: 'stoa',
    version: '1.0.0',
    packages: {
      '': { name: 'stoa', version: '1.0.0', devDependencies: { jest: '1.0.0' } },
      'apps/web': { version: '1.0.0', dependencies: { '@stoa/contracts': '1.0.0', react: '1.0.0' } },
      'apps/contracts': { version: '1.0.0' },
      'node_modules/@stoa/web': { resolved: 'apps/web', link: true },
      'node_modules/@stoa/contracts': { resolved: 'apps/contracts', link: true },
      'node_modules/jest': { version: '1.0.0' },
    },
  },
};
const changelog = `# Changelog

## [Unreleased]

### Added

- Letters may be sent.

## [1.0.0] - 2026-11-27

The first release.
`;

let root: string;
const path = (file: string) => join(root, file);
const text = (file: string) => readFileSync(path(file), 'utf8');
const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
function write(file: string, content: string): void {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), content);
}
function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'work');
}
let output: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-release-'));
  output = '';
  jest.spyOn(console, 'log').mockImplementation((line: string) => void (output += `${line}\n`));
  git('init', '--quiet');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@example.test');
  for (const [file, content] of Object.entries(files)) write(file, `${JSON.stringify(content, null, 2)}\n`);
  write('CHANGELOG.md', changelog);
  write('Dockerfile', 'ARG NODE=1.0.0\nARG VERSION=1.0.0\n');
  write('k8s/components/images/kustomization.yaml', 'images:\n  - { name: stoa/edge, newTag: 1.0.0 }\n');
  write('.prettierrc.json', '{ "printWidth": 110 }\n');
  execFileSync(inRepository('node_modules/.bin/prettier'), ['--write', '--log-level=silent', '.'], {
    cwd: root,
  });
  commit();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true });
});

describe('a release', () => {
  it('sets only the versions of workspaces, the lockfile and images', async () => {
    expect(await release(['1.1.0'], root)).toBe(0);

    expect(JSON.parse(text('package.json'))).toEqual({ ...files['package.json'], version: '1.1.0' });
    expect(JSON.parse(text('apps/web/package.json'))).toMatchObject({
      version: '1.1.0',
      dependencies: { '@stoa/contracts': '1.1.0', react: '1.0.0' },
    });
    const { version, packages } = JSON.parse(
      text('package-lock.json'),
    ) as (typeof files)['package-lock.json'];
    expect([version, packages[''].version, packages['apps/contracts'].version]).toEqual(
      Array(3).fill('1.1.0'),
    );
    expect(packages['apps/web'].dependencies).toEqual({ '@stoa/contracts': '1.1.0', react: '1.0.0' });
    expect(packages['node_modules/jest'].version).toBe('1.0.0');
    expect(text('Dockerfile')).toBe('ARG NODE=1.0.0\nARG VERSION=1.1.0\n');
    expect(text('k8s/components/images/kustomization.yaml')).toContain('newTag: 1.1.0');
  });

  it('dates the changelog, commits and makes an annotated tag', async () => {
    await release(['1.1.0'], root);

    const today = new Date().toISOString().slice(0, 10);
    expect(text('CHANGELOG.md')).toContain(
      `## [Unreleased]\n\n## [1.1.0] - ${today}\n\n### Added\n\n- Letters may be sent.\n\n## [1.0.0]`,
    );
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('chore(release): release 1.1.0');
    expect(git('cat-file', '-t', 'v1.1.0')).toBe('tag');
    expect(git('tag', '--list', '--format=%(contents)', 'v1.1.0')).toContain('Letters may be sent.');
    expect(await latestRelease(root)).toBe('v1.1.0');
  });

  it('writes nothing in a dry run and prints what it would do', async () => {
    expect(await release(['--dry-run', '1.1.0'], root)).toBe(0);

    for (const expected of ['apps/web/package.json', 'package-lock.json', 'v1.1.0', 'Letters may be sent.'])
      expect(output).toContain(expected);
    expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
  });
});

describe('a release is refused', () => {
  const refused = (version: string) => release([version], root);

  it.each(['1.0', 'v1.1.0', '1.1.0-beta', ''])('for %j, which is not a version', async (version) => {
    await expect(refused(version)).rejects.toThrow('npm run stoa release 1.1.0');
  });

  it.each(['1.0.0', '0.9.9'])('for %s, which is not newer', async (version) => {
    await expect(refused(version)).rejects.toThrow('is not newer than 1.0.0');
  });

  it('for a version that is tagged', async () => {
    git('tag', 'v1.1.0');
    await expect(refused('1.1.0')).rejects.toThrow('exists already');
  });

  it('with changes that are not committed', async () => {
    write('notes.txt', 'x');
    await expect(refused('1.1.0')).rejects.toThrow('Commit or remove your changes');
  });

  it('with files that Prettier would change', async () => {
    write('apps/web/index.js', 'const  a = 1');
    commit();
    await expect(refused('1.1.0')).rejects.toThrow('npm run format');
  });

  it.each([
    ['without changes to name', changelog.replace(/### Added[^]*?(?=## \[1)/, '')],
    ['without a section for them', changelog.replace('## [Unreleased]\n\n', '')],
  ])('with a changelog %s', async (_, content) => {
    write('CHANGELOG.md', content);
    commit();
    await expect(refused('1.1.0')).rejects.toThrow('[Unreleased]');
  });
});

describe('the latest release', () => {
  it('is the newest version among the ancestors of HEAD', async () => {
    expect(await latestRelease(root)).toBeUndefined();
    for (const tag of ['v1.9.0', 'v1.10.0', 'vague', 'v2.0.0-beta']) git('tag', tag);
    git('checkout', '--quiet', '--orphan', 'elsewhere');
    write('notes.txt', 'Elsewhere.');
    commit();
    git('tag', 'v3.0.0');
    git('checkout', '--quiet', 'v1.10.0');
    expect(await latestRelease(root)).toBe('v1.10.0');
  });
});

it('workspaces, lockfile, images and documents of this repository have one version', () => {
  const own = inRepository();
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string };
  const packages = globSync(['package.json', '{apps,libs,tools}/*/package.json'], { cwd: own });
  const shown = [
    'Dockerfile',
    'docs/operate/kubernetes.md',
    'k8s/components/images/kustomization.yaml',
    'k8s/examples/argo-cd/application.yaml',
    'k8s/examples/flux/stoa.yaml',
  ];
  const written = withVersion(own, version, '99.0.0').map(({ file }) => file);
  expect(written.toSorted()).toEqual(
    [...packages, 'package-lock.json', ...shown, 'k8s/overlays/production/kustomization.yaml'].toSorted(),
  );
});
