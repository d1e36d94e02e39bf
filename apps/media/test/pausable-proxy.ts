import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before a part and can hang: what is connected stays so, and nothing gets through. */
export interface PausableProxy {
  readonly port: number;
  /** Connections since the last pause. */
  readonly asked: () => number;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
}

export async function startPausableProxy(target: { host: string; port: number }): Promise<PausableProxy> {
  const sockets = new Set<Socket>();
  let isPaused = false;
  let asked = 0;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (isPaused) {
          asked += 1;
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
    asked: () => asked,
    pause: () => {
      isPaused = true;
      asked = 0;
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
