import type { Offering } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { creatorApi } from '../../api/creator-endpoints.ts';
import { ApiError } from '../../api/http.ts';
import {
  dropOffering,
  invalidateOfferings,
  myOfferingsKey,
  offeringKey,
  storeOffering,
} from '../../api/my-offerings.queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { forgetResources } from '../../api/resource.ts';
import type { NewOrder } from './offering-order.ts';

export function useOffering(id: string) {
  return useQuery(
    // An editor starts from what is stored, never from what was read a while ago.
    {
      queryKey: offeringKey(id),
      queryFn: ({ signal }) => creatorApi.offering(id, signal),
      staleTime: 0,
      gcTime: 0,
    },
    queryClient,
  );
}

export function useDeleteOffering() {
  return useMutation({ mutationFn: removed, onSuccess: (_, id) => dropOffering(id) }, queryClient);
}

/** Gone already, from another tab or by a try whose answer was lost, is as good as deleted now. */
async function removed(id: string): Promise<void> {
  try {
    await creatorApi.deleteOffering(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'not_found')) throw error;
  }
}

export function useArchiveOffering() {
  return useMutation({ mutationFn: archived, onSuccess: storeOffering }, queryClient);
}

async function archived(offering: Offering): Promise<Offering> {
  const { changesOf, valuesOf } = await import('./offering-form.ts');
  const changes = changesOf({ ...valuesOf(offering), state: 'archived' });
  return creatorApi.updateOffering(offering.id, changes, offering.version);
}

export function useRotateKey(id: string) {
  return useMutation(
    {
      mutationFn: () => creatorApi.rotateDeliveryKey(id),
      onSuccess: storeOffering,
    },
    queryClient,
  );
}

export function useReorderOfferings() {
  return useMutation(
    {
      mutationFn: ({ version, ...order }: NewOrder & { version: number }) =>
        creatorApi.reorderOfferings(order, version),
      // An older list that is on its way would take the place of the answer.
      onMutate: () => queryClient.cancelQueries({ queryKey: myOfferingsKey }),
      onSuccess: (list) => {
        forgetResources();
        queryClient.setQueryData(myOfferingsKey, list);
      },
      // What was changed elsewhere is shown before that is said; any other failure is said at once.
      onError: (error) => {
        const read = invalidateOfferings();
        return isOfAnotherTab(error) ? read : undefined;
      },
    },
    queryClient,
  );
}

const isOfAnotherTab = (error: Error) =>
  error instanceof ApiError && ['precondition_failed', 'conflict'].includes(error.reason);

export function useDuplicateOffering() {
  return useMutation(
    {
      mutationFn: ({ id, duplicateId }: { id: string; duplicateId: string }) =>
        creatorApi.duplicateOffering(id, duplicateId),
      onSuccess: storeOffering,
    },
    queryClient,
  );
}
