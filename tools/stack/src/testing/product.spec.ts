import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { readPromises } from './product.ts';

const head = '| promise | shown by |\n| --- | --- |\n';

it('reads docs/evidence/product.md', () => {
  expect(readPromises(readFileSync(inRepository('docs/evidence/product.md'), 'utf8')).length).toBeGreaterThan(
    30,
  );
});

it('reads all 35 rows of docs/evidence/walk-through.md', () => {
  const rows = readPromises(readFileSync(inRepository('docs/evidence/walk-through.md'), 'utf8'));
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 35 }, (_, index) => `${index + 1}`));
});

it('reads a promise and its tests', () => {
  const table = `${head}| A link is copied | \`web-1\`, \`web-2\` “a draft”, \`2.home.empty\` |`;
  expect(readPromises(table)).toEqual([
    {
      id: 'A link is copied',
      tests: [{ id: 'web-1' }, { id: 'web-2', variant: 'a draft' }, { id: '2.home.empty' }],
    },
  ]);
});

it.each([
  ['a promise without a test', '| A link is copied | by design |', 'No test is named for: A link is copied'],
  ['a promise with a title', '| A | `a/b.spec.ts` “copies it” |', 'No test is named for: A'],
  ['a duplicate promise', '| A | `web-1` |\n| A | `web-2` |', 'Duplicates: A'],
])('refuses %s', (_, rows, message) => {
  expect(() => readPromises(head + rows)).toThrow(message);
});
