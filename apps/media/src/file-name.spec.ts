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
  ['CON.pdf', '_CON.pdf'],
  ['con', '_con'],
  ['aux.txt', '_aux.txt'],
  ['Nul .tar.gz', '_Nul .tar.gz'],
  ['COM1', '_COM1'],
  ['lpt¹.doc', '_lpt¹.doc'],
  ['CONIN$', '_CONIN$'],
  ['C:\\aux.c', '_aux.c'],
  ['console.txt', 'console.txt'],
  ['COM10.txt', 'COM10.txt'],
  ['.aux', '_aux'],
  [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.pdf',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.pdf',
  ],
  ['\u0915\u094d\u200d\u0937.pdf', '\u0915\u094d\u200d\u0937.pdf'],
  ['👩‍👩‍👧 ❤️‍🔥.pdf', '👩‍👩‍👧 ❤️‍🔥.pdf'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ☺︎.pdf', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ☺︎.pdf'],
  ['葛\u{e0100}城.pdf', '葛\u{e0100}城.pdf'],
  ['ᠭ\u180b.pdf', 'ᠭ\u180b.pdf'],
  ['Auf\u200clage.pdf', 'Auf\u200clage.pdf'],
  ['a\ufe0fb\u{e0061}.pdf', 'a_b_.pdf'],
  ['\u3164\u2800\u034f.pdf', '___.pdf'],
  ['\uf0b7 list.pdf', '_ list.pdf'],
  ['invoice\u200d.pdf', 'invoice_.pdf'],
  ['in\u200bvoice\ufeff.pdf', 'in_voice_.pdf'],
  ['\u0601 12.pdf', '\u0601 12.pdf'],
  ['\u2066a\u2069\u061c.pdf', '_a__.pdf'],
  ['Workbook "Draft 2".pdf', 'Workbook _Draft 2_.pdf'],
  ['rtl\u202efdp.exe', 'rtl_fdp.exe'],
  ['report.pdf.', 'report.pdf'],
  ['-rf.pdf', '_rf.pdf'],
  ['cafe\u0301.pdf', 'caf\u00e9.pdf'],
  ['not a character \uffff.pdf', 'not a character _.pdf'],
  ['a:b|c*d?.pdf', 'a_b_c_d_.pdf'],
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
