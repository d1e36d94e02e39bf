import type { FastifyRequest } from 'fastify';

/** The part of the site to which an address belongs: pages, API, documentation of the API, or embedded profiles. */
export type Area = 'page' | 'api' | 'docs' | 'embed';

/** The area of the matched route, because one address can be spelled in several ways. */
export function areaOf({ url, routeOptions }: FastifyRequest): Area {
  const { url: route } = routeOptions;
  // The wildcard route of the pages also matches unknown addresses of the API, so the address decides.
  return areaOfTarget(route === undefined || route === '/*' ? url : route);
}

/** The area of a request that has no matched route yet. It decodes the address as the router does. */
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
