import { expect, test } from '@jest/globals';
import { toCsv } from './csv.ts';

test('commas, quotes and line breaks do not end a cell', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 7]])).toBe('\ufeff"a,b","say ""hi""","two\nlines",7\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\u3000=1',
  '\u200b=1',
  '＝cmd',
  '＋1',
  '－1',
  '＠A1',
  '﹦cmd',
  '﹢1',
  '﹣1',
  '﹫A1',
  '\u3164=1',
  '=HYPERLINK("https://evil.example","x")',
])('a spreadsheet reads %j as text', (formula) => {
  const [read = ''] = toCsv([[formula]]).split('\r\n=');
  expect(read.replace(/^\ufeff"?/, '').startsWith("'")).toBe(true);
});

test.each(['Book;=1+1', 'Book; +1', 'Book;\u200b@A1', 'Book;﹦cmd;-1'])(
  'a spreadsheet that separates cells by semicolons reads %j as text',
  (title) => {
    const cells = toCsv([['2026-01-01', title]])
      .trim()
      .split(';')
      .slice(1);
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.filter((cell) => !cell.startsWith("'"))).toEqual([]);
  },
);

test('a semicolon before other text stays as it is', () => {
  expect(toCsv([['Tea; and cake']])).toBe('\ufeffTea; and cake\r\n');
});

test('a negative number stays a number', () => {
  expect(toCsv([[-3]])).toBe('\ufeff-3\r\n');
});

test('the file begins with the byte order mark, so that Excel reads UTF-8', () => {
  const bytes = Buffer.from(toCsv([['日本語の本']]));
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString()).toBe('\ufeff日本語の本\r\n');
});
