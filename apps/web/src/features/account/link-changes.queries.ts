import { useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account/account-endpoints.ts';

export function useLinkChanges() {
  return useQuery({
    queryKey: ['link-changes'],
    queryFn: ({ signal }) => accountApi.linkChanges(signal),
    staleTime: 0,
  });
}
