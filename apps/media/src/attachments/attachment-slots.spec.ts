import { describe, expect, test } from '@jest/globals';
import {
  groupOf,
  settledGroups,
  type AttachmentSlot,
  slotsOf,
  type UsedUploads,
} from './attachment-slots.ts';

type Row = AttachmentSlot & { readonly version: number };

/** Applies the events in this order and returns the stored rows. */
function after(...events: readonly (readonly [version: number, uses: UsedUploads])[]): Row[] {
  return events.reduce<Row[]>((stored, [version, uses]) => {
    const settled = settledGroups(stored, version);
    const slots = slotsOf(uses, stored).filter(({ ownerKind }) => !settled.has(groupOf(ownerKind)));
    const changed = new Set(slots.map(({ ownerKind }) => ownerKind));
    const rest = stored.filter(({ ownerKind }) => !changed.has(ownerKind));
    return [...rest, ...slots.map((slot) => ({ ...slot, version }))];
  }, []);
}

const used = (rows: readonly Row[]) =>
  [...new Set(rows.flatMap(({ uploadId }) => uploadId ?? []))].toSorted();
const all = (...files: string[]): UsedUploads => ({ files });

describe('the files of an offering', () => {
  test.each<[string, [number, UsedUploads][], string[]]>([
    [
      'are not restored by a late event when there are none',
      [
        [3, all()],
        [2, all('a', 'b')],
      ],
      [],
    ],
    [
      'are not extended by a late event when one is left',
      [
        [1, all('a', 'b')],
        [3, all('a')],
        [2, all('a', 'c')],
      ],
      ['a'],
    ],
    [
      'are those of the newest event',
      [
        [1, all('a', 'b', 'c')],
        [2, all('c')],
      ],
      ['c'],
    ],
    [
      'are removed with the offering',
      [
        [1, all('a', 'b', 'c')],
        [2, all()],
      ],
      [],
    ],
  ])('%s', (_, events, files) => expect(used(after(...events))).toEqual(files));
});
