import { useQuery } from '@tanstack/react-query';
import { creatorApi } from './creator-endpoints.ts';
import { queryClient } from './query-client.ts';

const queryKey = ['account-room'];

/** What the files and pictures of the account take, and may take. */
export function useAccountRoom() {
  return useQuery(
    { queryKey, queryFn: ({ signal }) => creatorApi.readRoom(signal), staleTime: 0 },
    queryClient,
  );
}

export function refreshAccountRoom(): void {
  void queryClient.invalidateQueries({ queryKey });
}
