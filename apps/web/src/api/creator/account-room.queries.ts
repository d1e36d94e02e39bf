import { useQuery } from '@tanstack/react-query';
import { creatorApi } from './creator-endpoints.ts';
import { queryClient } from '../query-client.ts';

const queryKey = ['account-room'];

/** The account's used and allowed storage for files and pictures. */
export function useAccountRoom() {
  return useQuery({ queryKey, queryFn: ({ signal }) => creatorApi.readRoom(signal), staleTime: 0 });
}

export function refreshAccountRoom(): void {
  void queryClient.invalidateQueries({ queryKey });
}
