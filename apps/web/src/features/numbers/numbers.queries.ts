import { useMutation } from '@tanstack/react-query';
import { exchange } from '../../api/http.ts';
import { numbersPath } from '../../api/numbers.queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { saveFile } from '../../browser/save-file.ts';

/** Has the browser save the numbers as a table for a spreadsheet. */
export function useSaveTable(days: number) {
  return useMutation({ mutationFn: () => saveTable(days) }, queryClient);
}

async function saveTable(days: number): Promise<void> {
  // A link to it would come without the token.
  const options = { query: { days }, headers: { accept: 'text/csv' }, signedIn: true };
  const { body } = await exchange('GET', `${numbersPath}.csv`, options, (response) => response.blob());
  saveFile(body, `stoa-numbers-${days}-days.csv`);
}
