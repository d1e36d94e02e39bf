import { api } from '../../api/endpoints.ts';
import { useResource } from '../../api/resource.ts';

export function useCreator(username: string) {
  return useResource(`creator ${username}`, (signal) => api.creator(username, signal));
}

export function useCreatorOfferings(username: string) {
  return useResource(`offerings ${username}`, (signal) => api.creatorOfferings(username, signal));
}
