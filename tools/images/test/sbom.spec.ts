import { type App, apps } from '@stoa/system';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Component, sbomOf } from '../src/sbom.ts';

const repository = resolve(import.meta.dirname, '../../..');

/** Licences that need no further approval. */
const allowed = new Set([
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
]);
/** Exceptions, each with its reason. */
const exceptions: Record<string, string> = {
  '@img/sharp-libvips-linux-x64': 'LGPL-3.0-or-later: a shared library, loaded and not linked into our code',
  '@img/sharp-libvips-linux-arm64': 'LGPL-3.0-or-later: as the one for x64',
  pause: 'MIT, stated only in its readme',
};

const licenceOf = ({ licenses: [first] }: Component) =>
  first && ('expression' in first ? first.expression : first.license.name);
/** One allowed licence among the alternatives of a package is enough. */
const isAllowed = (component: Component) =>
  (licenceOf(component) ?? '')
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((licence) => allowed.has(licence));

const bills = new Map<App, readonly Component[]>();
for (const app of apps) bills.set(app, sbomOf(repository, app).components);

describe.each(apps)('the bill of materials of %s', (app) => {
  const components = bills.get(app) ?? [];
  const foreign = components.filter(({ name }) => !name.startsWith('@stoa/'));

  it('lists each package in the image, with the hash of its archive [images-2]', () => {
    expect(foreign.length).toBeGreaterThan(50);
    expect(foreign.filter(({ hashes }) => hashes.length !== 1)).toEqual([]);
    expect(foreign.map(({ name }) => name)).not.toContain('typescript');
    expect(foreign.some(({ name }) => name === 'react-dom')).toBe(app === 'gateway');
  });

  it('contains only packages with an allowed licence', () => {
    const refused = foreign.filter((component) => !isAllowed(component) && !(component.name in exceptions));
    expect(refused.map((component) => `${component.purl}: ${licenceOf(component) ?? 'none'}`)).toEqual([]);
  });
});
