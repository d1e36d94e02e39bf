import { expect, test } from '@jest/globals';
import { plainMediaType, safeFilename } from './file-name.ts';

test.each([
  ['letters.pdf', 'letters.pdf'],
  ['Zwölf Briefe – 12.epub', 'Zwölf Briefe – 12.epub'],
  ['手紙.pdf', '手紙.pdf'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\me\\letters.pdf', 'letters.pdf'],
  ['..', 'download'],
  ['.htaccess', 'htaccess'],
  ['letters.pdf. ', 'letters.pdf'],
  ['a"b\r\nSet-Cookie: x.pdf', 'a_b__Set-Cookie_ x.pdf'],
  ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
  ['half \ud800 pair.pdf', 'half \ufffd pair.pdf'],
  [' ', 'download'],
])('%j is saved as %j', (given, name) => {
  expect(safeFilename(given)).toBe(name);
  expect(safeFilename(name)).toBe(name);
});

test('a long name is truncated before its extension, between characters', () => {
  const name = safeFilename(`${'手'.repeat(250)}.pdf`);
  expect(name).toMatch(/^手+\.pdf$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});

test.each([
  ['application/pdf', 'application/pdf'],
  ['Text/HTML; charset=utf-8', 'text/html'],
  ['', 'application/octet-stream'],
  ['text/html\r\nX: y', 'application/octet-stream'],
])('content type %j is stored as %s', (given, type) => expect(plainMediaType(given)).toBe(type));
