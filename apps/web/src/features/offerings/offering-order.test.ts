import type { Offering } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { canMove, inOrder, orderAfter, orderAfterDrop } from './offering-order.ts';

const list = (pinnedId: string | null) => ({
  items: ['a', 'b', 'c'].map((id) => ({ id }) as Offering),
  pinnedId,
  version: 1,
});

test('an offering moves by one place', () => {
  expect(orderAfter(list(null), 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(orderAfter(list(null), 'b', 1)).toEqual(['a', 'c', 'b']);
  expect(orderAfter(list(null), 'c', -1)).toEqual(['a', 'c', 'b']);
});

test('current offerings and ended workshops do not change places', () => {
  const schedule = { startsAt: '', endsAt: null, timeZone: 'UTC', ended: true, text: '' };
  const { items, ...rest } = list('c');
  const partly = { ...rest, items: [items[0]!, ...items.slice(1).map((one) => ({ ...one, schedule }))] };
  expect(canMove(partly, 'a', 1)).toBe(false);
  expect(canMove(partly, 'b', -1)).toBe(false);
});

test('nothing moves above the first, below the last or past the pinned offering', () => {
  const places = (pinnedId: string | null) =>
    ['a', 'b', 'c'].map((id) => [canMove(list(pinnedId), id, -1), canMove(list(pinnedId), id, 1)]);
  expect(places(null)).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ]);
  expect(places('a')).toEqual([
    [false, false],
    [false, true],
    [true, false],
  ]);
});

test('a dropped offering takes the place of the one under it', () => {
  expect(orderAfterDrop(list(null), 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(orderAfterDrop(list(null), 'c', 'a')).toEqual(['c', 'a', 'b']);
});

test('a drop in place, of a deleted or of the pinned offering changes nothing', () => {
  expect(orderAfterDrop(list(null), 'b', 'b')).toBeUndefined();
  expect(orderAfterDrop(list(null), 'gone', 'b')).toBeUndefined();
  expect(orderAfterDrop(list(null), 'b', 'gone')).toBeUndefined();
  expect(orderAfterDrop(list('a'), 'a', 'c')).toBeUndefined();
});

test('an offering dropped on the pinned one is placed below it', () => {
  expect(orderAfterDrop(list('a'), 'c', 'a')).toEqual(['a', 'c', 'b']);
  expect(orderAfterDrop(list('a'), 'b', 'a')).toBeUndefined();
});

test('the list shows the order that is being saved, with the pinned one first', () => {
  const shown = (pinnedId: string | null) =>
    inOrder(list('a'), { ids: ['c', 'a', 'b'], pinnedId }).items.map(({ id }) => id);
  expect(shown('b')).toEqual(['b', 'c', 'a']);
  expect(shown(null)).toEqual(['c', 'a', 'b']);
});
