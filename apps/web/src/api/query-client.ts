import { MutationCache, QueryCache, QueryClient, type QueryState } from '@tanstack/react-query';
import { isTransient } from './http.ts';

const firstPauseMs = 4_000;
const longestPauseMs = 300_000;

const report = (error: unknown) => console.error(error);

type Failing = Pick<QueryState<unknown, Error>, 'status' | 'error' | 'errorUpdateCount'>;

/** The pause before a failed read is retried automatically; false if a retry would not help. */
export function retryPause({ status, error, errorUpdateCount }: Failing) {
  return (
    status === 'error' &&
    isTransient(error) &&
    Math.min(firstPauseMs * 4 ** (errorUpdateCount - 1), longestPauseMs)
  );
}

/** Creates a query cache. The browser has one, and the server creates one for each page that it renders. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: report }),
    mutationCache: new MutationCache({ onError: report }),
    defaultOptions: {
      queries: {
        // Offline reads fail like others. The library's default would wait for the network without a message.
        networkMode: 'always',
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: ({ state }) => isTransient(state.error),
        refetchInterval: ({ state }) => retryPause(state),
        retry: (failures, error) => failures < 1 && isTransient(error),
        retryDelay: 600,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** The browser's query client. Writes put their answers into it outside of components. */
export const queryClient = newQueryClient();
