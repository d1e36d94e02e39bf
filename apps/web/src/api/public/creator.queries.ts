import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api, type BrowseFilter } from './endpoints.ts';
import { isTransient, withQuery } from '../http.ts';
import { freshFor, publicKey, publicQuery, useLastingFailure, useRead } from './public.queries.ts';
import { queryClient, retryPause } from '../query-client.ts';

/** A list that has grown by scrolling stays complete for a while, rather than fresh. */
const listFreshMs = 5 * 60_000;

export const creatorQuery = (username: string) =>
  publicQuery('/api/creators/{username}', { params: { username } });

/** The creator's public offerings, in the creator's order. */
export const creatorOfferingsQuery = (username: string) =>
  publicQuery('/api/creators/{username}/offerings', { params: { username } });

export const creatorOfferingQuery = (username: string, slug: string) =>
  publicQuery('/api/creators/{username}/offerings/{slug}', { params: { username, slug } });

/** All creators that match. Each filter has its own key, so results never appear under another filter. */
export const creatorsQuery = (filter: BrowseFilter) =>
  infiniteQueryOptions({
    queryKey: publicKey(withQuery('/api/creators', { ...filter })),
    queryFn: ({ pageParam: cursor, signal }) => api.browse(filter, cursor, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: ({ state }) => freshFor(listFreshMs, state.data?.pages[0]),
    structuralSharing: false,
    // Loaded pages stay when a further page fails. The visitor retries that page.
    refetchOnReconnect: ({ state: { data, error } }) => data === undefined && isTransient(error),
    refetchInterval: ({ state }) => state.data === undefined && retryPause(state),
  });

export const useCreator = (username: string) => useRead(creatorQuery(username));
export const useCreatorOfferings = (username: string) => useRead(creatorOfferingsQuery(username));
export const useCreatorOffering = (username: string, slug: string) =>
  useRead(creatorOfferingQuery(username, slug));

export function useCreators(filter: BrowseFilter) {
  const options = creatorsQuery(filter);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(options);
  const [failure, forget] = useLastingFailure(options.queryKey, data, error);
  return {
    data: data && { ...data.pages[0], items: data.pages.flatMap(({ items }) => items) },
    error: failure,
    hasMore: hasNextPage,
    busy: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    reload: () => {
      forget();
      void refetch();
    },
  };
}

/** Prefetches the list that the Browse page shows for this query string. */
export function prefetchCreators(search: URLSearchParams): Promise<void> {
  // No check here: the server refuses an unknown niche.
  const niche = (search.get('niche') ?? undefined) as BrowseFilter['niche'];
  const options = creatorsQuery({ search: search.get('search') ?? '', niche });
  return queryClient.prefetchInfiniteQuery({ ...options, staleTime: Infinity });
}
