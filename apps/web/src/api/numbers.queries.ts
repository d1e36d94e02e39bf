import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export const numbersPath = '/api/me/numbers';

/** What visitors did on the creator's pages within the last `days`, today among them. */
export function useNumbers(days: number) {
  return useQuery(
    {
      queryKey: ['numbers', days],
      queryFn: ({ signal }) => request('get', numbersPath, { query: { days }, signal, signedIn: true }),
      // Another time is read in the place of this one, which stays until then.
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
}
