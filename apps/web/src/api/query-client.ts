import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from './http.ts';

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
      retry: (failures, error) => failures < 1 && isTransient(error),
      retryDelay: 600,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
