import { expect, test } from '@jest/globals';
import { toCsv } from './csv.ts';

test('commas, quotes and line breaks stay within their cell', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 7]])).toBe('"a,b","say ""hi""","two\nlines",7\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.example","x")'])(
  'a spreadsheet reads %j as text',
  (formula) => {
    const [read = ''] = toCsv([[formula]]).split('\r\n=');
    expect(read.replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test('a negative number stays a number', () => {
  expect(toCsv([[-3]])).toBe('-3\r\n');
});
