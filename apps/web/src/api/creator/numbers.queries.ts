import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../request.ts';

export const numbersPath = '/api/me/numbers';

/** The visitor counts of the last `days` days, including today. */
export function useNumbers(days: number) {
  return useQuery({
    queryKey: ['numbers', days],
    queryFn: ({ signal }) => request('get', numbersPath, { query: { days }, signal, signedIn: true }),
    // While another period loads, the previous one stays on screen.
    placeholderData: keepPreviousData,
  });
}
