import type { FastifyRequest } from 'fastify';

/** What of the site an address belongs to: its pages, the API, the API's documentation, or what others embed. */
export type Area = 'page' | 'api' | 'docs' | 'embed';

/** By the route that was found: an address may be written in many ways. */
export function areaOf({ url, routeOptions }: FastifyRequest): Area {
  const { url: route } = routeOptions;
  // The wildcard of the pages takes what no route does, addresses below the API among it.
  return areaOfTarget(route === undefined || route === '/*' ? url : route);
}

/** Where no route was looked for yet: by the target of a request, read as the router reads it. */
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
