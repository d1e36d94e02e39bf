import type { ReviewCase, ReviewCaseList, ReviewDecision, ReviewQuery } from '@stoa/contracts';
import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { reviewApi } from '../../api/review/review-endpoints.ts';

const key = ['review-cases'];

const queues: Record<ReviewCase['status'], ReviewQuery['queue']> = {
  ...{ open: 'waiting', appealed: 'waiting' },
  ...{ hidden: 'hidden', upheld: 'hidden' },
  ...{ dismissed: 'closed', restored: 'closed' },
};

type CasePages = InfiniteData<ReviewCaseList>;

/** The cases of a queue, page by page. */
export function useCases(queue: ReviewQuery['queue']) {
  return useInfiniteQuery({
    queryKey: [...key, queue],
    queryFn: ({ pageParam: cursor, signal }) => reviewApi.cases({ queue, cursor }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
}

/** Puts the answer to a decision into the cached queues, ahead of the next read. */
async function storeCase(decided: ReviewCase): Promise<void> {
  // A queue that is still in flight is older than the answer and would replace it.
  await queryClient.cancelQueries({ queryKey: key });
  for (const [queryKey, data] of queryClient.getQueriesData<CasePages>({ queryKey: key })) {
    const stays = queryKey.at(-1) === queues[decided.status];
    const now = (items: ReviewCase[]) =>
      stays
        ? items.map((one) => (one.id === decided.id ? decided : one))
        : items.filter(({ id }) => id !== decided.id);
    if (data)
      queryClient.setQueryData<CasePages>(queryKey, {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: now(page.items) })),
      });
  }
}

/** Sends a decision. Both outcomes refetch the queues, since another operator may have decided. */
export function useDecision(id: string, onDecided: () => void) {
  return useMutation<ReviewCase, Error, ReviewDecision>({
    mutationFn: (decision) => reviewApi.decide(id, decision),
    onSuccess: async (decided) => {
      // Runs before the queues change, since the form may disappear with them.
      onDecided();
      await storeCase(decided);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
