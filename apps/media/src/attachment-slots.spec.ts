import { describe, expect, test } from '@jest/globals';
import { groupOf, settledGroups, type Slot, slotsOf, type Uses } from './attachment-slots.ts';

type Row = Slot & { readonly version: number };

/** What the rows are after events that come in this order. */
function after(...events: readonly (readonly [version: number, uses: Uses])[]): Row[] {
  return events.reduce<Row[]>((stored, [version, uses]) => {
    const settled = settledGroups(stored, version);
    const slots = slotsOf(uses, stored).filter(({ ownerKind }) => !settled.has(groupOf(ownerKind)));
    const told = new Set(slots.map(({ ownerKind }) => ownerKind));
    const rest = stored.filter(({ ownerKind }) => !told.has(ownerKind));
    return [...rest, ...slots.map((slot) => ({ ...slot, version }))];
  }, []);
}

const used = (rows: readonly Row[]) =>
  [...new Set(rows.flatMap(({ uploadId }) => uploadId ?? []))].toSorted();
/** As a publisher of several files says it, and as one that knows the first alone. */
const all = (...files: string[]): Uses => ({ 'offering-file': files[0] ?? null, files });
const one = (file: string | null): Uses => ({ 'offering-file': file });

describe('the files of an offering', () => {
  test.each<[string, [number, Uses][], string[]]>([
    [
      'that has none any more get none by a late event',
      [
        [3, all()],
        [2, all('a', 'b')],
      ],
      [],
    ],
    [
      'that has none any more get none by a late event of the first alone',
      [
        [3, all()],
        [2, one('a')],
      ],
      [],
    ],
    [
      'of which one is left get no second by a late event',
      [
        [1, all('a', 'b')],
        [3, all('a')],
        [2, all('a', 'c')],
      ],
      ['a'],
    ],
    [
      'keep their order against a late event of the first alone',
      [
        [3, all('b', 'a')],
        [2, one('c')],
      ],
      ['a', 'b'],
    ],
    [
      'whose first is known newer take the others from a late event',
      [
        [3, one('c')],
        [2, all('a', 'b')],
      ],
      ['b', 'c'],
    ],
    [
      'of which the first alone is told keep the others',
      [
        [1, all('a', 'b')],
        [2, one('c')],
      ],
      ['b', 'c'],
    ],
    [
      'are all named by the newest',
      [
        [1, all('a', 'b', 'c')],
        [2, all('c')],
      ],
      ['c'],
    ],
    [
      'are none once the offering is gone',
      [
        [1, all('a', 'b', 'c')],
        [2, all()],
      ],
      [],
    ],
  ])('%s', (_, events, files) => expect(used(after(...events))).toEqual(files));
});
