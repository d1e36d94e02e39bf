import { useMutation } from '@tanstack/react-query';
import { exchange } from '../../api/http.ts';
import { numbersPath } from '../../api/creator/numbers.queries.ts';
import { saveFile } from '../../browser/save-file.ts';

export function useSaveTable(days: number) {
  return useMutation({ mutationFn: () => saveTable(days) });
}

async function saveTable(days: number): Promise<void> {
  // A link could not send the token.
  const options = { query: { days }, headers: { accept: 'text/csv' }, signedIn: true };
  const { body } = await exchange('GET', `${numbersPath}.csv`, options, (response) => response.blob());
  saveFile(body, `stoa-numbers-${days}-days.csv`);
}
