import { context, trace } from '@opentelemetry/api';
import { getRPCMetadata, RPCType } from '@opentelemetry/core';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { add } from './instruments.ts';
import { metrics } from './names.ts';

/** As much of Fastify as is used here; the services do without it. */
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

/** Tells the HTTP instrumentation which route answers: spans and metrics are named by templates, never by paths. */
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

/** Each built file is a route of its own, and its name changes with every release. */
function routeTemplate(url: string | undefined): string | undefined {
  return url?.startsWith('/assets/') ? '/assets/*' : url;
}
