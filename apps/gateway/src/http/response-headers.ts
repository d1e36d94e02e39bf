import { closedPolicy, type SecurityPolicy, securityHeaders } from '@stoa/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Area, areaOf, areaOfTarget } from './area.ts';
import { embedPolicy } from './embed-style.ts';
import { GatewayConfig } from '../gateway.config.ts';

type Addresses = Pick<GatewayConfig, 'KEYCLOAK_URL' | 'MEDIA_PUBLIC_URL' | 'S3_PUBLIC_ENDPOINT' | 'SITE_URL'>;

/** Pages may load files of the site, connect to Keycloak for log-ins, and use pictures and uploads of the object store. */
function pagePolicy(config: Addresses): SecurityPolicy {
  const keycloak = new URL(config.KEYCLOAK_URL).origin;
  const media = new URL(config.MEDIA_PUBLIC_URL).origin;
  const uploads = new URL(config.S3_PUBLIC_ENDPOINT).origin;
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', media],
    'connect-src': [...new Set(["'self'", keycloak, uploads])],
    // keycloak-js checks the session in a hidden frame, in which Keycloak redirects to a page of the site.
    'frame-src': ["'self'", keycloak],
    'frame-ancestors': ["'self'"],
    'form-action': ["'self'", keycloak],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
}

// Swagger UI needs inline styles and scripts that write HTML. It loads only the OpenAPI document.
const docsPolicy: SecurityPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Returns the default headers for each area. A route may replace them. */
export function headersFor(config: Addresses): (area: Area) => Record<string, string> {
  const https = config.SITE_URL.startsWith('https:');
  const page = securityHeaders({ policy: pagePolicy(config), https });
  const docs = securityHeaders({ policy: docsPolicy, https });
  // API responses may be personal, so caches must not store them. Public routes replace this header.
  const api = { ...securityHeaders({ policy: closedPolicy, https }), 'cache-control': 'no-store' };
  const embed = {
    ...securityHeaders({ policy: embedPolicy(new URL(config.MEDIA_PUBLIC_URL).origin), https }),
    'cross-origin-resource-policy': 'cross-origin',
  };
  return (area) => ({ page, api, docs, embed })[area];
}

/** Sets the default headers before any handler runs, so that errors have them as well. */
export function setResponseHeaders(app: NestFastifyApplication): void {
  const headers = headersFor(app.get(GatewayConfig));
  const set = (area: Area, response: ServerResponse) => {
    for (const [name, value] of Object.entries(headers(area))) response.setHeader(name, value);
  };
  const begin = ({ url = '' }: IncomingMessage, response: ServerResponse) => set(areaOfTarget(url), response);
  const server = app.getHttpServer() as Server;
  server.prependListener('request', begin);
  server.prependListener('checkExpectation', begin);
  // Sets them again after routing, because the matched route decides the area.
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, { raw }) => {
      raw.removeHeader('cache-control');
      set(areaOf(request), raw);
    });
}
