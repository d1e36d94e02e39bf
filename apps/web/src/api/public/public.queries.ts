import { hashKey, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { arrivedStale, get, noteStale, withQuery } from '../http.ts';
import { queryClient } from '../query-client.ts';
import { type Answer, fill, type Part, type Paths } from '../request.ts';
import type { paths } from '../../generated/api-schema.d.ts';

/** The first part of every public key, so that a write can drop all public answers. */
const root = 'public';
const freshMs = 30_000;
/** For so long, going back to a page shows it from memory. */
const cacheMs = 60 * 60_000;
queryClient.setQueryDefaults([root], { gcTime: cacheMs });

/** The state of a read as a page shows it. A failure stays on screen during automatic retries. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  reload: () => void;
}

export const publicKey = (...key: readonly string[]): readonly string[] => [root, ...key];

/** How long an answer stays fresh after its arrival. The next use of a stale one reads it again. */
export const freshFor = (ms: number, answer: unknown): number => (arrivedStale(answer) ? 0 : ms);

type Get<P extends Paths<'get'>> = {
  params?: Part<paths[P]['get'], 'path'>;
  query?: Part<paths[P]['get'], 'query'>;
};

/**
 * A read that is the same for all users. Its key is its address, under which the server embeds answers in the
 * page.
 */
export function publicQuery<P extends Paths<'get'>>(path: P, { params, query }: Get<P> = {}) {
  const address = withQuery(fill(path, params ?? {}), query);
  return publicOptions([address], (signal) => get<Answer<paths[P]['get']>>(address, { signal }));
}

/** The same for an answer without an address of its own. */
export function publicOptions<T>(key: readonly string[], read: (signal: AbortSignal) => Promise<T>) {
  return queryOptions({
    queryKey: publicKey(...key),
    queryFn: ({ signal }) => read(signal),
    staleTime: ({ state }) => freshFor(freshMs, state.data),
    // Staleness is stored by object identity, so the query client must not merge answers.
    structuralSharing: false,
  });
}

/** Reads `options` for a page. */
export function useRead<T>(options: PublicOptions<T>): Read<T> {
  const { data, error, refetch } = useQuery(options);
  const [failure, forget] = useLastingFailure(options.queryKey, data, error);
  const reload = () => {
    forget();
    void refetch();
  };
  return { data, error: failure, reload };
}

type PublicOptions<T> = ReturnType<typeof publicOptions<T>>;

/**
 * The last failure of a read, kept during automatic retries, and a function that clears it for a manual
 * retry.
 */
export function useLastingFailure(queryKey: readonly unknown[], data: unknown, error: Error | null) {
  const [last, setLast] = useState<{ of: string; error: Error; forgotten?: boolean }>();
  const of = hashKey(queryKey);
  if (error && (last?.error !== error || last.of !== of)) setLast({ of, error });
  const isKept = data === undefined && last?.of === of && !last.forgotten;
  return [
    error ?? (isKept ? last.error : null),
    () => setLast(last && { ...last, forgotten: true }),
  ] as const;
}

/**
 * Prefetches an answer that the next page needs. A cached answer stays, since it may be a list that has
 * grown.
 */
export function prefetch<T>(options: PublicOptions<T>): Promise<void> {
  return queryClient.prefetchQuery({ ...options, staleTime: Infinity });
}

/** The answers that a page is rendered from, by address. */
export type Answers = Readonly<Record<string, unknown>>;

/** Puts `answers` into the cache of `client`. If they are stale, the page reads them once more. */
export function storeAnswers(client: QueryClient, answers: Answers, isStale = false): void {
  for (const [address, answer] of Object.entries(answers)) {
    // A list with further pages is stored as its pages.
    const isList = typeof answer === 'object' && answer !== null && 'nextCursor' in answer;
    const data = isList ? { pages: [answer], pageParams: [undefined] } : answer;
    if (isStale) noteStale(answer);
    client.setQueryData(publicKey(address), data);
  }
}

/** Drops all public answers, so that the next page reads them again: they may have changed. */
export function forgetPublicAnswers(): void {
  queryClient.removeQueries({ queryKey: [root], type: 'inactive' });
  void queryClient.invalidateQueries({ queryKey: [root] });
}
