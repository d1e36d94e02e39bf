import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';

/** A TCP proxy to NATS that can be frozen, like the connection of a process that hangs. */
export async function freezableWire(natsUrl: string) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const target = new URL(natsUrl);
    const far = connectSocket(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    sockets.push(near, far);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    freeze: () => sockets.forEach((socket) => socket.pause()),
    /** Ends the open connections with everything in transit; new connections work. */
    cut: () => sockets.splice(0).forEach((socket) => socket.destroy()),
    thaw: () => sockets.forEach((socket) => socket.resume()),
    close: () => server.close(),
  };
}
