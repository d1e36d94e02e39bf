import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type BrowseFilter } from '../../api/endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

/** All creators that match, page by page. Each filter has its own entry, so no answer shows under another one. */
export function useCreators(filter: BrowseFilter) {
  return useInfiniteQuery(
    {
      queryKey: ['creators', filter],
      queryFn: ({ pageParam, signal }) => api.browse(filter, pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    },
    queryClient,
  );
}
