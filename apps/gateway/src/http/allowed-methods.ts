import { Refusal } from '@stoa/messaging';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

interface KnownRoute {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/**
 * Answers a wrong method with 405 and `Allow`, an unknown address with 404, and OPTIONS with `Allow`.
 * @param isPage Whether the site has a page at this path
 */
export function answerMethodNotAllowed(app: NestFastifyApplication, isPage: (path: string) => boolean): void {
  const routes: KnownRoute[] = [];
  const instance = app.getHttpAdapter().getInstance();
  instance.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  instance.addHook('onRequest', async (request, reply) => {
    if (isRouted(request)) return;
    const path = request.url.split('?')[0] ?? '/';
    const known = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (isPage(path)) known.push('GET', 'HEAD');
    // Refuses an unknown address before its body is read.
    if (known.length === 0 && request.is404) throw new Refusal('not_found', 'There is nothing here.');
    // PagesController answers requests without a route of their own.
    if (known.length === 0 || known.includes(request.method)) return;
    void reply.header('allow', [...new Set([...known, 'OPTIONS'])].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new Refusal('method_not_allowed', `${request.method} is not possible here.`);
  });
}

// The wildcard route of the pages matches every address, so it does not count as a route.
const isRouted = ({ is404, routeOptions }: FastifyRequest) => !is404 && !routeOptions.url?.includes('*');

function patternOf(url: string): RegExp {
  const parts = url
    .split(/(:[A-Za-z]+)/)
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[^\w/-]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`);
}
