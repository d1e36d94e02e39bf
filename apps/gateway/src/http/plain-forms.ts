import { Refusal } from '@stoa/messaging';
import type { FastifyInstance } from 'fastify';

/**
 * Routes that accept HTML forms, for browsers without scripts. The API refuses forms, because other sites can post them
 * (CSRF).
 */
const plainForms = ['/contact', '/profile/:username/contact'];

/** Reads HTML forms as text on these routes, and refuses them on all others. */
export function takePlainForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    ({ routeOptions }, body, done) => {
      if (plainForms.includes(routeOptions.url ?? '')) done(null, body);
      else done(new Refusal('unsupported_media_type', 'This takes JSON alone.'));
    },
  );
}
