import { useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account-endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

const queryKey = ['second-factors'];

/** Each look at the room asks anew: they are added and removed elsewhere. */
export function useSecondFactors() {
  return useQuery(
    { queryKey, queryFn: ({ signal }) => accountApi.secondFactors(signal), staleTime: 0 },
    queryClient,
  );
}
