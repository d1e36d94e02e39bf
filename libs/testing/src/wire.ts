import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a part for whoever is given its port: closed nothing listens there, frozen nothing moves, as with one that hangs. */
export class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;
  #port: number;

  /** @param port Where it listens; 0 takes any free one, for good. */
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

  /** What is connected loses its connection, and nobody gets a new one. */
  close(): void {
    if (this.#server.listening) this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Whoever connects meanwhile waits too. */
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
