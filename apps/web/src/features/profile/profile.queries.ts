import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/endpoints.ts';
import { queryClient } from '../../api/query-client.ts';

export function useCreator(username: string) {
  return useQuery(
    { queryKey: ['creator', username], queryFn: ({ signal }) => api.creator(username, signal) },
    queryClient,
  );
}

export function useCreatorOfferings(username: string) {
  return useQuery(
    {
      queryKey: ['creator', username, 'offerings'],
      queryFn: ({ signal }) => api.creatorOfferings(username, signal),
    },
    queryClient,
  );
}
