import { createServer, type Server } from 'node:http';
import type { Health } from './health.ts';

/**
 * Answers /health/live and /health/ready on a port of its own: probes do not compete with requests, and the public
 * port does not show internal state. `port` 0 takes any free port.
 */
export async function serveHealth(health: Health, port: number, address: string): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/health/live') {
      answer(health.alive ? 200 : 503, { status: health.alive ? 'alive' : 'dead' });
    } else if (request.url === '/health/ready') {
      health.unready().then(
        (missing) => answer(missing.length === 0 ? 200 : 503, { ready: missing.length === 0, missing }),
        () => answer(503, { ready: false }),
      );
    } else {
      answer(404, {});
    }
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, address, resolve);
  await promise;
  return server;
}
