import { fill, request } from './request.ts';
import { useResource } from './resource.ts';

const listPath = '/api/creators/{username}/offerings';

/** What this creator offers to everybody, in their order. */
export function useCreatorOfferings(username: string) {
  return useResource(fill(listPath, { username }), (signal) =>
    request('get', listPath, { params: { username }, signal }),
  );
}
