import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

export function useDownload(creatorId: string, offeringId: string) {
  return useQuery(
    {
      queryKey: ['download', creatorId, offeringId],
      queryFn: ({ signal }) => api.download(creatorId, offeringId, signal),
      // The link in the answer lives for minutes only.
      staleTime: 0,
      gcTime: 0,
    },
    queryClient,
  );
}
