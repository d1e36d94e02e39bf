import { useQuery } from '@tanstack/react-query';
import { accountApi } from '../../api/account/account-endpoints.ts';

const queryKey = ['second-factors'];

/** Read at each visit of the page, since they are added and removed elsewhere. */
export function useSecondFactors() {
  return useQuery({ queryKey, queryFn: ({ signal }) => accountApi.secondFactors(signal), staleTime: 0 });
}
