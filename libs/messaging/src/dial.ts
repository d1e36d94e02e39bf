import { once } from 'node:events';
import { Socket } from 'node:net';

/**
 * Milliseconds that a connection may take to open. Within a cluster it takes a few; the address of a deleted
 * pod never answers, and the kernel alone would try for two minutes.
 */
export const dialMs = 1000;
/**
 * Tries to open a connection. A moved part is back under its name within seconds, and most callers wait for 5
 * s.
 */
const dials = 3;

/** No answer from the address within `dialMs`. It has the fields of Node's own error, by which drivers recognise an outage. */
class DialTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'connect';
  readonly errno = -110;

  constructor() {
    super(`connect ETIMEDOUT: no answer within ${dialMs} ms`);
  }
}

export const isDialTimeout = (error: unknown): boolean => error instanceof DialTimeout;

/** A socket that must be connected within `dialMs` from now on, including the name resolution. */
export function timedSocket(): Socket {
  const socket = new Socket();
  const timer = setTimeout(() => socket.destroy(new DialTimeout()), dialMs);
  const stop = () => clearTimeout(timer);
  return socket.once('connect', stop).once('close', stop);
}

/**
 * Opens a connection. When an address does not answer, it resolves the name again and retries. No request is
 * repeated, because nothing was sent yet.
 *
 * @throws Error with the code ETIMEDOUT
 */
export async function dial(address: { host: string; port: number }): Promise<Socket> {
  for (let left = dials - 1; ; left -= 1) {
    const socket = timedSocket().setNoDelay(true);
    try {
      const connected = once(socket, 'connect');
      socket.connect(address);
      await connected;
      return socket;
    } catch (error) {
      if (left === 0 || !isDialTimeout(error)) throw error;
    }
  }
}
