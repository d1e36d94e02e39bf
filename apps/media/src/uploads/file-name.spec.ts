import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { plainMediaType, safeFilename } from './file-name.ts';

const { cases } = JSON.parse(
  readFileSync(new URL('../../cases/file-names.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly { in: string; saved: string }[];
};

test.each(cases)('$in is saved as $saved [media-3]', ({ in: given, saved: name }) => {
  expect(safeFilename(given)).toBe(name);
  expect(safeFilename(name)).toBe(name);
});

test('a long name is truncated before its extension, between characters [media-4]', () => {
  const name = safeFilename(`${'手'.repeat(250)}.pdf`);
  expect(name).toMatch(/^手+\.pdf$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});

test.each([
  ['an ending of two parts', `${'a'.repeat(300)}.tar.gz`, /^a+\.tar\.gz$/],
  ['an ending of another script', `${'я'.repeat(300)}.документ`, /^я+\.документ$/],
  ['a blank where it is cut', `${'a'.repeat(195)} ${'b'.repeat(100)}.pdf`, /^a{195}\.pdf$/],
  ['an emoji of several characters', `${'👩‍👩‍👧'.repeat(40)}.pdf`, /^(👩‍👩‍👧)+\.pdf$/u],
  ['no ending', 'a'.repeat(300), /^a{200}$/],
])('a long name with %s is cut to 200 bytes', (_, given, expected) => {
  const name = safeFilename(given);
  expect(name).toMatch(expected);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(safeFilename(name)).toBe(name);
});

test.each([
  ['application/pdf', 'application/pdf'],
  ['Text/HTML; charset=utf-8', 'text/html'],
  ['', 'application/octet-stream'],
  ['text/html\r\nX: y', 'application/octet-stream'],
])('content type %j is stored as %s', (given, type) => expect(plainMediaType(given)).toBe(type));
