import { useMutation, useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account-endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

const queryKey = ['account-export'];
const makingMs = 3000;
/** The link of an answer works for ten minutes. */
const linkMs = 300_000;

export function useAccountExport() {
  return useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => accountApi.readExport(signal),
      staleTime: 0,
      // In a hidden tab nothing is read again, and the link grows too old.
      refetchOnWindowFocus: 'always',
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'making' ? makingMs : data?.state === 'ready' && linkMs,
    },
    queryClient,
  );
}

export function useExportAccount() {
  return useMutation(
    {
      mutationFn: () => accountApi.exportAccount(),
      onSuccess: () => queryClient.invalidateQueries({ queryKey }),
    },
    queryClient,
  );
}
