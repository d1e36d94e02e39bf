import { api } from './endpoints.ts';
import { fill } from './request.ts';
import { type Resource, useResource } from './resource.ts';

/** The public creator of this name, as more than one page shows them. */
export function useCreator(username: string): Resource<Awaited<ReturnType<typeof api.creator>>> {
  return useResource(fill('/api/creators/{username}', { username }), (signal) =>
    api.creator(username, signal),
  );
}
