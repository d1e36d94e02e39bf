import type { Offering } from '@stoa/contracts';
import { useQuery } from '@tanstack/react-query';
import { creatorApi } from './creator-endpoints.ts';
import { queryClient } from '../query-client.ts';
import { forgetPublicAnswers } from '../public/public.queries.ts';

export const myOfferingsKey = ['my-offerings'];
/** The cache key of one offering in its editor. */
export const offeringKey = (id: string): string[] => ['offering', id];
/** The cache key of the creator's dead links, including those of offerings. */
export const linkHealthKey = ['link-health'];

type List = Awaited<ReturnType<typeof creatorApi.myOfferings>>;

/** The creator's own offerings. Several pages share this query. */
export function useMyOfferings() {
  return useQuery({ queryKey: myOfferingsKey, queryFn: ({ signal }) => creatorApi.myOfferings(signal) });
}

/** Writes the answer of a save into the cached offering and list, without waiting for the next read. */
export function storeOffering(saved: Offering): Promise<void> {
  queryClient.setQueryData<Offering>(offeringKey(saved.id), (opened) => opened && saved);
  return changeList((list) => ({ ...list, items: withOffering(list, saved) }));
}

/** Removes a deleted offering from the cached list. */
export function dropOffering(deletedId: string): Promise<void> {
  return changeList((list) => ({ ...list, items: list.items.filter(({ id }) => id !== deletedId) }));
}

async function changeList(change: (list: List) => List): Promise<void> {
  // A list that is still in flight is older than the answer and would replace it.
  await queryClient.cancelQueries({ queryKey: myOfferingsKey });
  queryClient.setQueryData<List>(myOfferingsKey, (list) => list && change(list));
  // The answer is already on screen. The button need not wait for a slow read.
  void invalidateOfferings();
}

/** Refetches the creator's list, and what else shows the offerings or their links. */
export async function invalidateOfferings(): Promise<void> {
  forgetPublicAnswers();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: myOfferingsKey }),
    queryClient.invalidateQueries({ queryKey: linkHealthKey }),
  ]);
}

/** Inserts a new offering where the service sorts it: first, but below the pinned one. */
function withOffering({ items, pinnedId }: List, saved: Offering): Offering[] {
  if (items.some(({ id }) => id === saved.id)) return items.map((one) => (one.id === saved.id ? saved : one));
  const first = items[0]?.id === pinnedId ? 1 : 0;
  return [...items.slice(0, first), saved, ...items.slice(first)];
}
