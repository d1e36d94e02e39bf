import { expect, test } from '@jest/globals';
import { withoutFormat } from './format-marks.ts';
import { blocksOf } from './simple-format.ts';

test('empty lines part paragraphs, and a line break stays within one', () => {
  expect(blocksOf('One\ntwo\n\n\nThree')).toEqual([
    { isList: false, lines: [['One'], ['two']] },
    { isList: false, lines: [['Three']] },
  ]);
});

test('lines that begin with a dash, a star or a bullet are a list', () => {
  expect(blocksOf('You get:\n- one\n* two\n• three\nAnd more')).toEqual([
    { isList: false, lines: [['You get:']] },
    { isList: true, lines: [['one'], ['two'], ['three']] },
    { isList: false, lines: [['And more']] },
  ]);
});

test('bold, emphasis and web addresses', () => {
  expect(blocksOf('A **very good** *book*, see https://example.com/a_b?c=1.')).toEqual([
    {
      isList: false,
      lines: [
        [
          'A ',
          { strong: 'very good' },
          ' ',
          { em: 'book' },
          ', see ',
          { link: 'https://example.com/a_b?c=1' },
          '.',
        ],
      ],
    },
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
  expect(blocksOf(text)).toEqual([{ isList: false, lines: [[text]] }]);
  expect(withoutFormat(text)).toBe(text);
});

test('the words are the same without marks', () => {
  expect(withoutFormat('A **very good** *book* at https://example.com')).toBe(
    'A very good book at https://example.com',
  );
});

test('the longest text of marks alone is read in moments', () => {
  expect(blocksOf('**a'.repeat(3000))).toHaveLength(1);
  expect(blocksOf('*'.repeat(10_000))).toHaveLength(1);
});
