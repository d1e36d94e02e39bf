import { Refusal } from '@stoa/messaging';
import type { FastifyInstance } from 'fastify';

/** Routes that take a form as browsers without scripts post it. Another site may post one too, so the API takes none. */
const plainForms = ['/contact', '/profile/:username/contact'];

/** Lets these routes alone have such a form, as the text that it is. */
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
