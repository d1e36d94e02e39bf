import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { readPromises } from './product.ts';

const head = '| promise | shown by |\n| --- | --- |\n';

it('reads docs/product.md', () => {
  expect(readPromises(readFileSync(inRepository('docs/product.md'), 'utf8')).length).toBeGreaterThan(30);
});

it('reads docs/walk-through.md, which has all of the 35', () => {
  const rows = readPromises(readFileSync(inRepository('docs/walk-through.md'), 'utf8'));
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 35 }, (_, index) => `${index + 1}`));
});

it('reads a promise and its tests', () => {
  const table = `${head}| A link is copied | \`a/b.spec.ts\` “copies it”, \`a/c.spec.ts\` “says so” |`;
  expect(readPromises(table)).toEqual([
    {
      id: 'A link is copied',
      tests: [
        { file: 'a/b.spec.ts', title: 'copies it' },
        { file: 'a/c.spec.ts', title: 'says so' },
      ],
    },
  ]);
});

it.each([
  ['a promise without a test', '| A link is copied | by design |', 'No test is named for: A link is copied'],
  ['one that is there twice', '| A | `a` “b” |\n| A | `a` “c” |', 'There twice: A'],
])('refuses %s', (_, rows, message) => {
  expect(() => readPromises(head + rows)).toThrow(message);
});
