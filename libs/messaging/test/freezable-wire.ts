import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';

/** A way to NATS on which nothing moves while it is frozen, as for a process that hangs. */
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
    /** Ends what is connected, with all that was under way; who connects anew finds the wire good. */
    cut: () => sockets.splice(0).forEach((socket) => socket.destroy()),
    thaw: () => sockets.forEach((socket) => socket.resume()),
    close: () => server.close(),
  };
}
