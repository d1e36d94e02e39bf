import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy before a part. Closed, it refuses connections like a stopped part; frozen, it hangs. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;
  #port: number;

  /** @param port The port of the proxy. With 0 it takes a free port and keeps it. */
  constructor(targetPort: number, port = 0) {
    this.#port = port;
    this.#server = createServer({ pauseOnConnect: true }, (near) => this.#join(near, targetPort));
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and refuses new ones. */
  close(): void {
    if (this.#server.listening) this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Stops forwarding, for present and new connections. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(near: Socket, targetPort: number): void {
    const far = connect(targetPort, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        this.#sockets.delete(socket);
      });
      if (this.#isFrozen) socket.pause();
    }
  }
}
