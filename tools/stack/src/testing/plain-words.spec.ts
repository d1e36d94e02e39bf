import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { Linter, type Rule } from 'eslint';

const { plainWords } = (await import(inRepository('lint/plain-words.mjs'))) as {
  plainWords: Rule.RuleModule;
};
const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

function faultsOf(code: string): string[] {
  const plugins = { stoa: { rules: { 'plain-words': plainWords } } };
  const found = new Linter().verify(code, { plugins, rules: { 'stoa/plain-words': 'error' } });
  return found.map(({ line, message }) => `${line} ${message}`);
}

it.each([
  ['a comment', '\n// The owner is told.'],
  ['a docstring', '\n/** The owner is told. */'],
  ['a test title', "\nit('is told', () => {});"],
  ['the title of a table of cases', "\ntest.each([1])('is told %s', () => {});"],
  ['a log line', '\nthis.logger.warn(`${name} is told`);'],
])('reports a retired word in %s', (_, code) => {
  expect(faultsOf(code)).toEqual(['2 Replace “told”: sent, mailed or notified.']);
});

it('joins consecutive line comments to sentences of at most 30 words', () => {
  expect(faultsOf(`// ${words(20)}\n// ${words(11)}`)).toEqual([
    '1 Split this sentence of 31 words; the limit is 30.',
  ]);
  expect(faultsOf(`// ${words(20)}.\n// ${words(11)}`)).toEqual([]);
});

it('ignores code, links, JSDoc tags and other strings', () => {
  expect(
    faultsOf(
      "/**\n * Calls `told` and {@link told}.\n *\n * @param told The recipients.\n */\nconst text = 'is told';",
    ),
  ).toEqual([]);
});
