import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { SqlReader } from '@stoa/messaging';
import { expect, it } from '@jest/globals';
import { UnchangedUses } from './unchanged-uses.repository.ts';

type Row = { owner_id: string; slots: number };

/** Takes statements, each of which is answered when the test says so. */
function aDatabase() {
  const statements: { rows: Row[]; answer: (error?: Error) => void }[] = [];
  const $queryRawUnsafe = (_: string, told: string) => {
    const rows = JSON.parse(told) as Row[];
    const { promise, resolve, reject } = Promise.withResolvers<{ id: string; slots: number }[]>();
    const answer = (error?: Error) =>
      error ? reject(error) : resolve(rows.map(({ owner_id: id, slots }) => ({ id, slots })));
    statements.push({ rows, answer });
    return promise;
  };
  const asked = async (count: number) => {
    while (statements.length < count) await turn();
    return statements.map(({ rows }) => rows.map(({ owner_id }) => owner_id));
  };
  const answer = (place: number, error?: Error) => statements[place]?.answer(error);
  return { uses: new UnchangedUses({ $queryRawUnsafe } as unknown as SqlReader, 1), asked, answer };
}

const anOwner = () => ({ id: randomUUID(), version: 2 });
const slots = [{ ownerKind: 'creator', uploadId: null }];

it('tells of many records in one statement, and of those that come meanwhile in the next', async () => {
  const { uses, asked, answer } = aDatabase();
  const owners = Array.from({ length: 5 }, anOwner);
  const ids = owners.map(({ id }) => id);
  const first = owners.slice(0, 2).map((owner) => uses.note(owner, slots));
  expect(await asked(1)).toEqual([ids.slice(0, 2)]);
  const later = owners.slice(2).map((owner) => uses.note(owner, slots));
  answer(0);
  expect(await asked(2)).toEqual([ids.slice(0, 2), ids.slice(2)]);
  answer(1);
  expect(await Promise.all([...first, ...later])).toEqual([true, true, true, true, true]);
});

it('tells of one record once in a statement', async () => {
  const { uses, asked, answer } = aDatabase();
  const owner = anOwner();
  const noted = [uses.note(owner, slots), uses.note({ ...owner, version: 3 }, slots)];
  await asked(1);
  answer(0);
  expect(await asked(2)).toEqual([[owner.id], [owner.id]]);
  answer(1);
  expect(await Promise.all(noted)).toEqual([true, true]);
});

it('tells of each by itself where a statement for several fails', async () => {
  const { uses, asked, answer } = aDatabase();
  const [one, other] = [anOwner(), anOwner()];
  const noted = Promise.allSettled([uses.note(one, slots), uses.note(other, slots)]);
  await asked(1);
  answer(0, new Error('a row that cannot be'));
  await asked(2);
  answer(1, new Error('a row that cannot be'));
  expect(await asked(3)).toEqual([[one.id, other.id], [one.id], [other.id]]);
  answer(2);
  expect((await noted).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('leaves a record without slots to who asks', async () => {
  const { uses, asked, answer } = aDatabase();
  const noted = uses.note(anOwner(), []);
  await asked(1);
  answer(0);
  expect(await noted).toBe(false);
});
