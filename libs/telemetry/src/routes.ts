import { context, trace } from '@opentelemetry/api';
import { getRPCMetadata, RPCType } from '@opentelemetry/core';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { add } from './instruments.ts';
import { metrics } from './names.ts';

/** The methods of Fastify that are used here; services do not have it installed. */
interface Fastify {
  addHook(
    name: 'onRequest',
    hook: (request: Request, reply: { raw: ServerResponse }, done: () => void) => void,
  ): void;
}

interface Request {
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
}

/**
 * Sets the route template on spans and metrics of the HTTP instrumentation; paths would have too many values.
 */
export function nameRoutes(): void {
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: Fastify };
    fastify.addHook('onRequest', ({ method, routeOptions }, reply, done) => {
      const route = routeTemplate(routeOptions.url);
      const metadata = getRPCMetadata(context.active());
      if (route !== undefined && metadata?.type === RPCType.HTTP) metadata.route = route;
      if (route !== undefined) trace.getActiveSpan()?.updateName(`${method} ${route}`);
      const attributes = { 'http.request.method': method };
      add(metrics.httpActive, 1, attributes);
      reply.raw.once('close', () => add(metrics.httpActive, -1, attributes));
      done();
    });
  });
}

/** Uses one template for all built files, because their names change with every release. */
function routeTemplate(url: string | undefined): string | undefined {
  return url?.startsWith('/assets/') ? '/assets/*' : url;
}
