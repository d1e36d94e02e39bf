import type { Server } from 'node:http';

const betweenLooksMs = 100;

/**
 * Ends the connections of a server that is closing as soon as their answers are given. Node and Fastify end those that
 * are idle when it begins; one that is answered after that would be kept for another minute, and the process with it.
 */
export function closeIdleConnections(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), betweenLooksMs);
  server.once('close', () => clearInterval(timer));
}
