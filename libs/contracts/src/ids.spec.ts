import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import * as contracts from './index.ts';

const capital = 'ABCDEF01-2345-4789-8ABC-DEF012345678';

type Part = { readonly _zod: { readonly def: Record<string, unknown> } };
const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** All schemas inside `root` with their paths. */
function* partsOf(root: unknown, path: string, seen = new Set<unknown>()): Generator<[string, Part]> {
  if (typeof root !== 'object' || root === null || seen.has(root)) return;
  seen.add(root);
  if (isPart(root)) yield [path, root];
  const children = isPart(root) ? root._zod.def : root;
  for (const [name, child] of Object.entries(children)) yield* partsOf(child, `${path}.${name}`, seen);
}

const isId = (part: Part) => ['uuid', 'guid'].includes(String(part._zod.def['format']));

test('contracts read all ids in lower case', () => {
  const ids = Object.entries(contracts)
    .flatMap(([name, value]) => [...partsOf(value, name)])
    .filter(([, part]) => isId(part));
  expect(ids.length).toBeGreaterThan(50);
  const kept = ids.filter(([, part]) => (part as unknown as z.ZodType).parse(capital) === capital);
  expect(kept.map(([path]) => path)).toEqual([]);
});

test('one file id in upper and in lower case counts as a duplicate', () => {
  const { FileChoices } = contracts;
  const files = [{ id: capital }, { id: capital.toLowerCase() }];
  expect(FileChoices.safeParse(files).error?.issues).toMatchObject([{ message: 'Name each file once.' }]);
});
