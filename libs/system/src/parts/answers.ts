import { connect } from 'node:net';

/** Whether an address answers HTTP with a success. */
export async function answersHttp(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.ok;
}

/** Whether something on this machine accepts connections on a port. */
export function acceptsConnections(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
  const answer = (is: boolean) => {
    socket.destroy();
    resolve(is);
  };
  socket.once('connect', () => answer(true));
  socket.once('timeout', () => answer(false));
  socket.once('error', () => answer(false));
  return promise;
}
