import type { Offering } from '@stoa/contracts';
import { useQuery } from '@tanstack/react-query';
import { creatorApi } from './creator-endpoints.ts';
import { queryClient } from './query-client.ts';
import { forgetResources } from './resource.ts';

export const myOfferingsKey = ['my-offerings'];
/** An offering as its editor reads it. */
export const offeringKey = (id: string): string[] => ['offering', id];
/** The dead links of the creator, those of offerings among them. */
export const linkHealthKey = ['link-health'];

type List = Awaited<ReturnType<typeof creatorApi.myOfferings>>;

/** The creator's own offerings, as more than one room shows them. */
export function useMyOfferings() {
  return useQuery(
    { queryKey: myOfferingsKey, queryFn: ({ signal }) => creatorApi.myOfferings(signal) },
    queryClient,
  );
}

/** Puts the answer to a write into every list that holds the offering, ahead of the next read. */
export function storeOffering(saved: Offering): Promise<void> {
  queryClient.setQueryData<Offering>(offeringKey(saved.id), (opened) => opened && saved);
  return changeList((list) => ({ ...list, items: withOffering(list, saved) }));
}

/** Takes a deleted offering out of the list. */
export function dropOffering(deletedId: string): Promise<void> {
  return changeList((list) => ({ ...list, items: list.items.filter(({ id }) => id !== deletedId) }));
}

async function changeList(change: (list: List) => List): Promise<void> {
  // An older list that is on its way would replace the answer.
  await queryClient.cancelQueries({ queryKey: myOfferingsKey });
  queryClient.setQueryData<List>(myOfferingsKey, (list) => list && change(list));
  // The answer is on screen by then: a slow read behind it keeps no button busy.
  void invalidateOfferings();
}

/** Reads the creator's list again, and what else shows them or their links. */
export async function invalidateOfferings(): Promise<void> {
  forgetResources();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: myOfferingsKey }),
    queryClient.invalidateQueries({ queryKey: linkHealthKey }),
  ]);
}

/** A new offering comes first, below the pinned one: the service sorts its list so. */
function withOffering({ items, pinnedId }: List, saved: Offering): Offering[] {
  if (items.some(({ id }) => id === saved.id)) return items.map((one) => (one.id === saved.id ? saved : one));
  const first = items[0]?.id === pinnedId ? 1 : 0;
  return [...items.slice(0, first), saved, ...items.slice(first)];
}
