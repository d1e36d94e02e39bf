import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: for that server, whoever came by it is dead, and never comes back. */
export interface CuttableWire {
  /** The address to be taken in place of the server's own. */
  readonly url: string;
  readonly cut: () => void;
}

/** Leads to the server at `url`. */
export async function cuttableWire(url: string): Promise<CuttableWire> {
  const { protocol, port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connectSocket(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    sockets.push(near, far);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
