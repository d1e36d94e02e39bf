import type { Offering } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { creatorApi } from '../../api/creator/creator-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import {
  dropOffering,
  invalidateOfferings,
  myOfferingsKey,
  offeringKey,
  storeOffering,
} from '../../api/creator/my-offerings.queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { forgetPublicAnswers } from '../../api/public/public.queries.ts';
import type { NewOrder } from './offering-order.ts';

export function useOffering(id: string) {
  return useQuery(
    // An editor starts from the stored offering, never from a cached one.
    {
      queryKey: offeringKey(id),
      queryFn: ({ signal }) => creatorApi.offering(id, signal),
      staleTime: 0,
      gcTime: 0,
    },
  );
}

export function useDeleteOffering() {
  return useMutation({ mutationFn: removed, onSuccess: (_, id) => dropOffering(id) });
}

/** Another tab or a lost attempt may have deleted it already. That counts as success. */
async function removed(id: string): Promise<void> {
  try {
    await creatorApi.deleteOffering(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'not_found')) throw error;
  }
}

export function useArchiveOffering() {
  return useMutation({ mutationFn: archived, onSuccess: storeOffering });
}

async function archived(offering: Offering): Promise<Offering> {
  const { changesOf, valuesOf } = await import('./offering-form.ts');
  const changes = changesOf({ ...valuesOf(offering), state: 'archived' });
  return creatorApi.updateOffering(offering.id, changes, offering.version);
}

export function useRotateKey(id: string) {
  return useMutation({
    mutationFn: () => creatorApi.rotateDeliveryKey(id),
    onSuccess: storeOffering,
  });
}

export function useReorderOfferings() {
  return useMutation({
    mutationFn: ({ version, ...order }: NewOrder & { version: number }) =>
      creatorApi.reorderOfferings(order, version),
    // A list that is still in flight is older than the answer and would replace it.
    onMutate: () => queryClient.cancelQueries({ queryKey: myOfferingsKey }),
    onSuccess: (list) => {
      forgetPublicAnswers();
      queryClient.setQueryData(myOfferingsKey, list);
    },
    // After a conflict the message waits for the new list. Any other failure shows immediately.
    onError: (error) => {
      const read = invalidateOfferings();
      return isOfAnotherTab(error) ? read : undefined;
    },
  });
}

const isOfAnotherTab = (error: Error) =>
  error instanceof ApiError && ['precondition_failed', 'conflict'].includes(error.reason);

export function useDuplicateOffering() {
  return useMutation({
    mutationFn: ({ id, duplicateId }: { id: string; duplicateId: string }) =>
      creatorApi.duplicateOffering(id, duplicateId),
    onSuccess: storeOffering,
  });
}
