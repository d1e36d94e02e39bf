import { useQuery } from '@tanstack/react-query';
import { creatorApi } from './creator-endpoints.ts';
import { queryClient } from './query-client.ts';

export const myOfferingsKey = ['my-offerings'];

/** The creator's own offerings, as more than one room shows them. */
export function useMyOfferings() {
  return useQuery(
    { queryKey: myOfferingsKey, queryFn: ({ signal }) => creatorApi.myOfferings(signal) },
    queryClient,
  );
}
