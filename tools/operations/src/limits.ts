import { limits, saleLimits } from '@stoa/contracts';
import { inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { code, page, table } from './reference-page.ts';

const sources = ['libs/contracts/src/limits.ts', 'libs/contracts/src/sale-limits.ts'];

/** The meaning of each limit: the comment above it in the contracts. */
function meaningsOf(text: string): ReadonlyMap<string, string> {
  const limitsWithComment = text.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}(\w+): /gm);
  return new Map([...limitsWithComment].map(([, meaning = '', name = '']) => [name, meaning]));
}

/** Generates docs/reference/limits.md from the contracts. */
export function limitsPage(): string {
  const meanings = meaningsOf(sources.map((source) => readFileSync(inRepository(source), 'utf8')).join('\n'));
  return page(
    'Limits',
    `Limits of the product, from ${sources.map(code).join(' and ')}. Limits of an installation are [settings](settings.md).`,
    table(
      ['limit', 'value', 'bounds'],
      Object.entries({ ...limits, ...saleLimits }).map(([name, value]) => [
        code(name),
        value.toLocaleString('en'),
        meanings.get(name) ?? '',
      ]),
    ),
  );
}
