import { useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account-endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

export function useLinkChanges() {
  return useQuery(
    {
      queryKey: ['link-changes'],
      queryFn: ({ signal }) => accountApi.linkChanges(signal),
      staleTime: 0,
    },
    queryClient,
  );
}
