import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, type Reason } from './http.ts';

const passing: ReadonlySet<Reason> = new Set(['unavailable', 'timeout', 'unreachable', 'internal']);

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
      retry: (failures, error) => failures < 1 && error instanceof ApiError && passing.has(error.reason),
      retryDelay: 600,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
