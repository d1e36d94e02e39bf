import { fill, request } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';

const listPath = '/api/creators/{username}/offerings';
const offeringPath = '/api/creators/{username}/offerings/{slug}';

export function useCreatorOfferings(username: string) {
  return useResource(fill(listPath, { username }), (signal) =>
    request('get', listPath, { params: { username }, signal }),
  );
}

export function useCreatorOffering(username: string, slug: string) {
  return useResource(fill(offeringPath, { username, slug }), (signal) =>
    request('get', offeringPath, { params: { username, slug }, signal }),
  );
}
