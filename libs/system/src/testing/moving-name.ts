import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';

/** Another address of this machine besides 127.0.0.1. */
const oldAddress = '127.0.0.77';
const newAddress = '127.0.0.1';
/** Time within which a connection to this machine opens. */
const patienceMs = 300;

// A suspended process accepts no connection. Once its backlog is full, the kernel drops packets, as for an
// address whose pod is gone.
const listener = `
  const server = require('node:net').createServer();
  const [port, host] = process.argv.slice(-2);
  server.listen({ port: Number(port), host, backlog: 1 }, () => process.send('listening'));
`;

type Found = (error: Error | null, address: unknown, family?: number) => void;

/**
 * A host name whose address drops every packet until `move` points it to the part. It replaces the DNS
 * lookups of this process, and needs no privileges: see `listener`.
 */
export class MovingName {
  /** A new name, so that no open connection uses it. */
  readonly name = `${randomUUID()}.test`;
  readonly #hole: ChildProcess;
  readonly #fill: readonly Socket[];
  readonly #lookUps = new EventEmitter();
  readonly #lookup = dns.lookup;
  #addresses = [oldAddress];

  private constructor(hole: ChildProcess, fill: readonly Socket[]) {
    this.#hole = hole;
    this.#fill = fill;
    const original = this.#lookup;
    const steered = (name: string, ...rest: unknown[]) => {
      if (name !== this.name) return (original as (...given: unknown[]) => void)(name, ...rest);
      const found = rest.pop() as Found;
      const addresses = this.#addresses.map((address) => ({ address, family: 4 }));
      const wantsAll = (rest[0] as { all?: boolean } | undefined)?.all === true;
      process.nextTick(() => {
        if (wantsAll) found(null, addresses);
        else found(null, addresses[0]?.address, 4);
        this.#lookUps.emit('done');
      });
    };
    dns.lookup = Object.assign(steered, { __promisify__: original.__promisify__ }) as typeof dns.lookup;
  }

  /** @param port Port of the part. At this port of the old address no process answers. */
  static async open(port: number | string): Promise<MovingName> {
    const hole = spawn(process.execPath, ['-e', listener, '--', String(port), oldAddress], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(hole, 'message');
    hole.kill('SIGSTOP');
    const fill: Socket[] = [];
    for (let isOpen = true; isOpen;) {
      const socket = connect(Number(port), oldAddress).on('error', () => undefined);
      fill.push(socket);
      isOpen = await Promise.race([once(socket, 'connect').then(() => true), pause(patienceMs, false)]);
      // A stalled process runs its timers before it reads its sockets.
      await immediate();
      isOpen ||= !socket.connecting;
    }
    return new MovingName(hole, fill);
  }

  /** Points the name to the part from now on. */
  move(): void {
    this.#addresses = [newAddress];
  }

  /** Points the name to the address without answers again. */
  vanish(): void {
    this.#addresses = [oldAddress];
  }

  /** Gives the name both addresses. */
  spread(): void {
    this.#addresses = [oldAddress, newAddress];
  }

  /** Resolves at the next lookup of the name. */
  async dialled(): Promise<void> {
    await once(this.#lookUps, 'done');
  }

  /** Replaces the host of `url` by this name. */
  in(url: string): string {
    const address = new URL(url);
    address.hostname = this.name;
    return address.href;
  }

  close(): void {
    dns.lookup = this.#lookup;
    for (const socket of this.#fill) socket.destroy();
    this.#hole.kill('SIGKILL');
  }
}
