import { useMutation, useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account/account-endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

const queryKey = ['account-export'];
const makingMs = 3000;
/** The link of an answer works for ten minutes. */
const linkMs = 300_000;

export function useAccountExport() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => accountApi.readExport(signal),
    staleTime: 0,
    // While the tab is hidden, the interval pauses and the download link may expire. Returning to the tab requests
    // a new link.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'making' ? makingMs : data?.state === 'ready' && linkMs,
  });
}

export function useExportAccount() {
  return useMutation({
    mutationFn: () => accountApi.exportAccount(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}
