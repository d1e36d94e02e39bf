import { api } from '../../api/endpoints.ts';
import { useResource } from '../../api/resource.ts';

export function useCreatorOfferings(username: string) {
  return useResource(`offerings ${username}`, (signal) => api.creatorOfferings(username, signal));
}
