import type { Offering } from '@stoa/contracts';
import { beforeEach, expect, test } from '@jest/globals';
import { fakeApi } from '../../testing/fake-api.ts';
import { dropOffering, myOfferingsKey, storeOffering } from './my-offerings.queries.ts';
import { queryClient } from '../query-client.ts';

const one = (id: string, changes: Partial<Offering> = {}) =>
  ({ id, title: id, deliveryKey: 'old', state: 'published', ...changes }) as Offering;
const listOf = (...items: Offering[]) => ({ items, pinnedId: null as string | null, version: 1 });
const cached = () => queryClient.getQueryData<ReturnType<typeof listOf>>(myOfferingsKey);

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(myOfferingsKey, listOf(one('a'), one('b')));
});

test.each([
  ['a new delivery key', { deliveryKey: 'new' }],
  ['a new title and address', { title: 'B', slug: 'b-2' }],
  ['another state', { state: 'hidden' as const }],
])('a saved offering replaces its row before the list is read again: %s', async (_, changes) => {
  fakeApi(() => new Promise<Response>(() => {}));
  await storeOffering(one('b', changes));
  expect(cached()?.items).toEqual([one('a'), one('b', changes)]);
  expect(queryClient.getQueryState(myOfferingsKey)?.isInvalidated).toBe(true);
});

test('a new offering comes first, below the pinned one', async () => {
  await storeOffering(one('c'));
  expect(cached()?.items.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  queryClient.setQueryData(myOfferingsKey, { ...listOf(one('a'), one('b')), pinnedId: 'a' });
  await storeOffering(one('c'));
  expect(cached()?.items.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
});

test('a deleted offering leaves the list', async () => {
  await dropOffering('a');
  expect(cached()?.items).toEqual([one('b')]);
});

test('a list requested before the write does not replace the answer', async () => {
  const older = Promise.withResolvers<object>();
  void queryClient
    .fetchQuery({ queryKey: myOfferingsKey, queryFn: () => older.promise, retry: false })
    .catch(() => {});
  await storeOffering(one('b', { deliveryKey: 'new' }));
  older.resolve(listOf(one('a'), one('b')));
  await older.promise;
  expect(cached()?.items[1]?.deliveryKey).toBe('new');
});

test('a write without a cached list changes nothing', async () => {
  queryClient.clear();
  await storeOffering(one('b'));
  expect(cached()).toBeUndefined();
});
