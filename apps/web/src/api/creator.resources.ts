import { api } from './endpoints.ts';
import { fill, request } from './request.ts';
import { type Resource, useResource } from './resource.ts';

/** The public creator of this name, as more than one page shows them. */
export function useCreator(username: string): Resource<Awaited<ReturnType<typeof api.creator>>> {
  return useResource(fill('/api/creators/{username}', { username }), (signal) =>
    api.creator(username, signal),
  );
}

const listPath = '/api/creators/{username}/offerings';

/** What this creator offers to everybody, in their order. */
export function useCreatorOfferings(username: string) {
  return useResource(fill(listPath, { username }), (signal) =>
    request('get', listPath, { params: { username }, signal }),
  );
}
