import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Run, runsOf, wordsOf } from './inline-format.ts';
import { type Block, blocksOf, compactText, withoutFormat } from './simple-format.ts';

const casesIn = <C>(name: string) =>
  (JSON.parse(readFileSync(new URL(`../cases/${name}`, import.meta.url), 'utf8')) as { readonly cases: C[] })
    .cases;

const paragraph = (...runs: Run[]): Block => ({ list: null, start: 1, items: [runs] });

test('empty lines separate paragraphs, and a paragraph keeps line breaks', () => {
  expect(blocksOf('One\ntwo\n\n\nThree')).toEqual([paragraph('One\ntwo'), paragraph('Three')]);
});

test('lines with a dash, a star or a bullet form a list', () => {
  expect(blocksOf('You get:\n- one\n* two\n• three\nAnd more')).toEqual([
    paragraph('You get:'),
    { list: 'bullets', start: 1, items: [['one'], ['two'], ['three']] },
    paragraph('And more'),
  ]);
});

test('lines with numbers form a numbered list, and an indented line continues an item', () => {
  expect(blocksOf('3. three\n   goes on\n4) four\n- bullet')).toEqual([
    { list: 'numbers', start: 3, items: [['three\ngoes on'], ['four']] },
    { list: 'bullets', start: 1, items: [['bullet']] },
  ]);
});

test('bold, emphasis and web addresses are formatted [contracts-8]', () => {
  const link = 'https://example.com/a_b?c=1';
  expect(blocksOf(`A **very good** *book*, see ${link}.`)).toEqual([
    paragraph('A ', { strong: ['very good'] }, ' ', { em: ['book'] }, ', see ', { link, text: link }, '.'),
  ]);
});

test.each([
  '5 * 4 * 3',
  '** no **',
  'a*',
  '**',
  '<b>bold</b>',
  'javascript:alert(1)',
  'snake_case_name',
  '[a](b)',
])('%s stays as it stands', (text) => {
  expect(blocksOf(text)).toEqual([paragraph(text)]);
  expect(withoutFormat(text)).toBe(text);
});

const rendered = (runs: readonly Run[]): string =>
  runs
    .map((run) => {
      if (typeof run === 'string') return run.replaceAll('"', '&quot;').replaceAll('>', '&gt;');
      if ('link' in run) return run.text;
      return 'strong' in run ? `<strong>${rendered(run.strong)}</strong>` : `<em>${rendered(run.em)}</em>`;
    })
    .join('');

test.each(casesIn<{ number: number; in: string; html: string }>('commonmark-emphasis.json'))(
  'CommonMark example $number has the specified result: $in [contracts-9]',
  ({ in: text, html }) => expect(rendered(runsOf(text))).toBe(html),
);

const all = (runs: readonly Run[]): Run[] =>
  runs.flatMap((run) => {
    if (typeof run === 'string' || 'link' in run) return [run];
    return [run, ...all('strong' in run ? run.strong : run.em)];
  });

const linksOf = (runs: readonly Run[]) =>
  all(runs).flatMap((run) => (typeof run === 'object' && 'link' in run ? [run.link] : []));

test.each(casesIn<{ in: string; text?: string; bold?: string[]; links: string[] }>('descriptions.json'))(
  'a description is formatted as its author means it: $in [contracts-10]',
  ({ in: typed, text, bold = [], links }) => {
    const runs = blocksOf(typed).flatMap(({ items }) => items.flatMap(all));
    expect(blocksOf(typed).flatMap(({ items }) => items.flatMap(linksOf))).toEqual(links);
    expect(
      runs.flatMap((run) => (typeof run === 'object' && 'strong' in run ? [wordsOf(run.strong)] : [])),
    ).toEqual(bold);
    expect(withoutFormat(typed)).toBe(text ?? typed);
  },
);

test.each(
  casesIn<{ in: string; stored?: string; inText?: true }>('links.json').filter(({ inText }) => inText),
)('a link in a text has the same target as in a link field: $in', ({ in: link, stored }) => {
  for (const text of [link, `See ${link}`, `Here: ${link} and more`])
    expect(linksOf(runsOf(text)).map((found) => new URL(found).href)).toEqual([stored]);
});

test('the compact text has no empty lines', () => {
  expect(compactText('You get:\n\n- **tools**\n- time\n\n\nEnd')).toBe('You get:\ntools\ntime\nEnd');
});

test.each([
  '**a',
  '*',
  '*a **b',
  'a**b_',
  '_*',
  '**a*',
  '(',
  'https://a.b',
  'https://a.b/(',
  'https://a.b/&a;',
  '\\',
])('the longest text of repeated %s parses in time', (piece) =>
  expect(blocksOf(piece.repeat(10_000 / piece.length))).toHaveLength(1),
);

test.each([
  ['http://a(', ')'],
  ['http://a.b:x(', ')'],
  ['http://a@b.c(', ')'],
  ['http://a/', '*.'],
  ['http://a/', "'."],
  ['http://a/', '&a;*'],
  ['(www.a:x', ')'],
  ['http://a（', '）'],
  ['(www.é', ':x'],
])('a long text of repeated %s and then %s parses in time', (beginning, end) => {
  const half = (piece: string) => piece.repeat(10_000 / piece.length);
  const before = process.cpuUsage();
  expect(blocksOf(half(beginning) + half(end))).toHaveLength(1);
  // Microseconds of CPU time: 50 times the usual duration.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});
