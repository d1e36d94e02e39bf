import type { FastifyRequest } from 'fastify';

/** The part of the site to which an address belongs: pages, the API, its documentation, or embedded profiles. */
export type Area = 'page' | 'api' | 'docs' | 'embed';

/** The area of a request, by its matched route, since an address has several spellings. */
export function areaOf({ url, routeOptions }: FastifyRequest): Area {
  const { url: route } = routeOptions;
  // The wildcard of the pages also matches unknown addresses below the API.
  return areaOfTarget(route === undefined || route === '/*' ? url : route);
}

/** The area of a request before routing, by its target, decoded as the router decodes it. */
export function areaOfTarget(target: string): Area {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/, '').split('?');
  const plain = decoded(path);
  if (/^\/embed\/[^/]+$/.test(plain)) return 'embed';
  if (!/^\/api(\/|$)/.test(plain)) return 'page';
  return /^\/api\/docs(\/|$)/.test(plain) ? 'docs' : 'api';
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
