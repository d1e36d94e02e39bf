import { fill, request } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';

const offeringPath = '/api/creators/{username}/offerings/{slug}';

export function useCreatorOffering(username: string, slug: string) {
  return useResource(fill(offeringPath, { username, slug }), (signal) =>
    request('get', offeringPath, { params: { username, slug }, signal }),
  );
}
