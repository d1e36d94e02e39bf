import { request } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';

export function useCreatorOfferings(username: string) {
  return useResource(`offerings ${username}`, (signal) =>
    request('get', '/api/creators/{username}/offerings', { params: { username }, signal }),
  );
}

export function useCreatorOffering(username: string, slug: string) {
  return useResource(`offering ${username} ${slug}`, (signal) =>
    request('get', '/api/creators/{username}/offerings/{slug}', { params: { username, slug }, signal }),
  );
}
