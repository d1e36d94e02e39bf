import type { ReviewCase, ReviewDecision, ReviewQuery } from '@stoa/contracts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review-endpoints.ts';

const key = ['review-cases'];

/** A queue, page by page. */
export function useCases(queue: ReviewQuery['queue']) {
  return useInfiniteQuery(
    {
      queryKey: [...key, queue],
      queryFn: ({ pageParam: cursor, signal }) => reviewApi.cases({ queue, cursor }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      staleTime: 0,
    },
    queryClient,
  );
}

/** Whatever comes of it, the queues are read anew: somebody else may have decided. */
export function useDecision(id: string, onDecided: () => void) {
  return useMutation<ReviewCase, Error, ReviewDecision>(
    {
      mutationFn: (decision) => reviewApi.decide(id, decision),
      // Ahead of the queues, with which the form may go.
      onSuccess: onDecided,
      onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
    },
    queryClient,
  );
}
