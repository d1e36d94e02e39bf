import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from './http.ts';

const firstPauseMs = 4_000;
const longestPauseMs = 300_000;

const report = (error: unknown) => console.error(error);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: report }),
  mutationCache: new MutationCache({ onError: report }),
  defaultOptions: {
    queries: {
      // Offline is told like any other failure; waiting in silence for the network is no state of the product.
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // What failed is read again once the network is back.
      refetchOnReconnect: ({ state }) => state.status === 'error',
      // As often as failed reads of public pages are retried.
      refetchInterval: ({ state: { status, error, errorUpdateCount } }) =>
        status === 'error' &&
        isTransient(error) &&
        Math.min(firstPauseMs * 4 ** (errorUpdateCount - 1), longestPauseMs),
      retry: (failures, error) => failures < 1 && isTransient(error),
      retryDelay: 600,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// Without a provider nothing else has it listen for a network that is back.
queryClient.mount();
