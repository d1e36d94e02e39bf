import { api } from './endpoints.ts';
import { type Resource, useResource } from './resource.ts';

/** The public creator of this name, as more than one page shows them. */
export function useCreator(username: string): Resource<Awaited<ReturnType<typeof api.creator>>> {
  return useResource(`creator ${username}`, (signal) => api.creator(username, signal));
}
