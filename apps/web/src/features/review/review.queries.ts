import type { ReviewCase, ReviewDecision, ReviewQuery } from '@stoa/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review-endpoints.ts';

const key = ['review-cases'];

export function useCases(queue: ReviewQuery['queue']) {
  return useQuery(
    { queryKey: [...key, queue], queryFn: ({ signal }) => reviewApi.cases(queue, signal), staleTime: 0 },
    queryClient,
  );
}

/** Whatever comes of it, the queues are read anew: somebody else may have decided. */
export function useDecision(id: string) {
  return useMutation<ReviewCase, Error, ReviewDecision>(
    {
      mutationFn: (decision) => reviewApi.decide(id, decision),
      onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
    },
    queryClient,
  );
}
