import { expect, it } from '@jest/globals';
import { limits } from '@stoa/contracts';
import { inRepository } from '@stoa/system';
import { services } from '@stoa/system/settings/names';
import { secretNames } from '@stoa/system/settings/secrets';
import { readFileSync } from 'node:fs';
import { accessPage } from './access.ts';
import { readRegister, registerOf } from './data-classes.ts';
import { limitsPage } from './limits.ts';
import { secretPurposes } from './secret-purposes.ts';

const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

it.each(services)('each column of the database of %s has a class [operations-1]', (service) => {
  const { columns } = readRegister(service);
  expect(columns.length).toBeGreaterThan(10);
  expect(columns.filter(({ dataClass }) => dataClass === undefined)).toEqual([]);
});

it('reads class and retention of the columns of a model, whatever braces and slashes its lines have', () => {
  const schema = `model A {
  // kept: 1 day
  one String // {x}
  two Json @default("{}") // public
  /// Which // personal
  three Int @default(7) @map("a // b") // personal: a hash, for 3 days
}
model InboxEntry {
  id Int
}
`;
  const { columns, retention } = registerOf(schema);
  expect(columns).toEqual([
    { table: 'A', name: 'one', dataClass: undefined },
    { table: 'A', name: 'two', dataClass: 'public' },
    { table: 'A', name: 'three', dataClass: 'personal' },
  ]);
  expect(Object.fromEntries(retention)).toEqual({ A: '1 day', 'A.three': 'a hash, for 3 days' });
});

it('states the purpose of each secret exactly once [operations-2]', () => {
  const named = secretPurposes.flatMap(({ names }) => names);
  expect(twice(named)).toEqual([]);
  expect(named.toSorted()).toEqual([...secretNames].toSorted());
});

it('lists the access to each operation of the API [operations-3]', () => {
  const { paths } = JSON.parse(readFileSync(inRepository('apps/gateway/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  const text = accessPage();
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
});

it('states value and meaning of each limit [operations-4]', () => {
  const text = limitsPage();
  const rows = Object.entries(limits).map(
    ([name, value]) => `| \`${name}\` | ${value.toLocaleString('en')} | `,
  );
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => !new RegExp(`^${escaped(row)}\\w`, 'm').test(text))).toEqual([]);
});

const escaped = (text: string) => text.replaceAll(/[|\\{}()[\]^$+*?.]/g, '\\$&');
