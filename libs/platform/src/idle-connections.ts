import type { Server } from 'node:http';

const pollMs = 100;

/**
 * Ends the connections of a closing server as soon as their answers are sent. Node and Fastify only end those that
 * are idle at the beginning. Others would stay for a minute and keep the process alive.
 */
export function closeIdleConnections(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), pollMs);
  server.once('close', () => clearInterval(timer));
}
