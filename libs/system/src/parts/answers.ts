import { connect } from 'node:net';

/** Whether an address answers HTTP with a 2xx status. */
export async function answersHttp(url: string, withinMs = 2_000): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
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

/** Whether a NATS server answers here. It sends the first message; the port of a container accepts connections earlier. */
export function greetsAsNats(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
  const answer = (is: boolean) => {
    socket.destroy();
    resolve(is);
  };
  socket.once('data', (greeting) => answer(greeting.toString('latin1').startsWith('INFO ')));
  for (const failure of ['end', 'timeout', 'error']) socket.once(failure, () => answer(false));
  return promise;
}
