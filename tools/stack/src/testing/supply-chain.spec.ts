import { expect, it } from '@jest/globals';
import { advisoriesIn, undecidedScripts, withoutIntegrity } from './supply-chain.ts';

const integrity = 'sha512-AAAA';

it('names packages with an install script that is neither allowed nor denied', () => {
  const packages = {
    'apps/web': {},
    'node_modules/quiet': { integrity },
    'node_modules/loud': { integrity, hasInstallScript: true },
    'node_modules/loud/node_modules/denied': { integrity, hasInstallScript: true },
    'node_modules/@part/darwin-x64': { integrity, hasInstallScript: true },
    'node_modules/@part/other': { integrity, hasInstallScript: true },
  };
  const allowed = { denied: false, '@part/linux-x64': true };
  expect(undecidedScripts(packages, allowed)).toEqual(['loud', '@part/other']);
});

it('names packages without an integrity hash', () => {
  const packages = {
    'node_modules/@stoa/web': { link: true },
    'node_modules/a': {},
    'node_modules/b': { integrity },
  };
  expect(withoutIntegrity(packages)).toEqual(['a']);
});

it.each([
  [
    'a severe vulnerability',
    { vulnerabilities: { a: { severity: 'high' }, b: { severity: 'low' } } },
    ['a (high)'],
  ],
  ['no vulnerability', { vulnerabilities: {} }, []],
  ['a registry without advisories', { message: '405 Method Not Allowed' }, undefined],
])('reads %s from the output of npm audit [stack-8]', (_, audit, expected) => {
  expect(advisoriesIn(JSON.stringify(audit))).toEqual(expected);
});

it('returns undefined for an empty output of npm audit', () => {
  expect(advisoriesIn('')).toBeUndefined();
});
