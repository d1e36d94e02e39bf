import { useMutation, useQuery, keepPreviousData } from '@tanstack/react-query';
import { ApiError } from '../../api/http.ts';
import { queryClient } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { accessToken } from '../../auth/sign-in.ts';
import { saveFile } from '../../browser/save-file.ts';

const path = '/api/me/numbers';
const longestMs = 15_000;

export function useNumbers(days: number) {
  return useQuery(
    {
      queryKey: ['numbers', days],
      queryFn: ({ signal }) => request('get', path, { query: { days }, signal, signedIn: true }),
      // Another time is read in the place of this one, which stays until then.
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
}

/** Has the browser save the numbers as a table for a spreadsheet. */
export function useSaveTable(days: number) {
  return useMutation({ mutationFn: () => saveTable(days) }, queryClient);
}

async function saveTable(days: number): Promise<void> {
  // A link to it would come without the token.
  const answer = await fetch(`${path}.csv?days=${days}`, {
    headers: { authorization: `Bearer ${await accessToken()}` },
    signal: AbortSignal.timeout(longestMs),
  });
  if (!answer.ok) throw new ApiError('internal', `The table was answered with ${answer.status}`);
  saveFile(await answer.blob(), `stoa-numbers-${days}-days.csv`);
}
