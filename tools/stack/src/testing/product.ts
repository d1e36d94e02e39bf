import { citedTestsIn, type Claim } from './named-tests.ts';

/**
 * The promises of docs/evidence/product.md, by their words, and the rows of docs/evidence/walk-through.md, by
 * their numbers.
 *
 * @throws Error for a duplicate, or for one that names no test.
 */
export function readPromises(markdown: string): Claim[] {
  const rows = markdown.split('\n').filter((line) => /^\| (?!-|promise |no\. )/.test(line));
  const promises = rows.map((row) => {
    const [, id = '', ...rest] = row.split('|').map((cell) => cell.trim());
    const tests = citedTestsIn(rest.join('|'));
    if (tests.length === 0) throw new Error(`No test is named for: ${id}`);
    return { id, tests };
  });
  const twice = promises.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`Duplicates: ${twice.join(', ')}`);
  return promises;
}
