import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/http.ts';
import { numbersPath } from '../../api/numbers.queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { accessToken } from '../../auth/sign-in.ts';
import { saveFile } from '../../browser/save-file.ts';

const longestMs = 15_000;

/** Has the browser save the numbers as a table for a spreadsheet. */
export function useSaveTable(days: number) {
  return useMutation({ mutationFn: () => saveTable(days) }, queryClient);
}

async function saveTable(days: number): Promise<void> {
  // A link to it would come without the token.
  const answer = await fetch(`${numbersPath}.csv?days=${days}`, {
    headers: { authorization: `Bearer ${await accessToken()}` },
    signal: AbortSignal.timeout(longestMs),
  });
  if (!answer.ok) throw new ApiError('internal', `The table was answered with ${answer.status}`);
  saveFile(await answer.blob(), `stoa-numbers-${days}-days.csv`);
}
