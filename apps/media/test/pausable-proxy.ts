import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a dependency. While it is paused, connections stay open but no bytes pass. */
export interface PausableProxy {
  readonly port: number;
  /** Number of chunks of bytes that wait since the last pause. */
  readonly heldChunks: () => number;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
}

export async function startPausableProxy(target: { host: string; port: number }): Promise<PausableProxy> {
  const sockets = new Set<Socket>();
  let isPaused = false;
  let heldChunks = 0;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (isPaused) {
          heldChunks += 1;
          from.pause();
          from.unshift(bytes);
        } else to.write(bytes);
      });
      from.on('close', () => to.destroy());
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heldChunks: () => heldChunks,
    pause: () => {
      isPaused = true;
      heldChunks = 0;
    },
    resume: () => {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
