import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';

/** An address of this machine beside 127.0.0.1. */
const oldAddress = '127.0.0.77';
const newAddress = '127.0.0.1';
/** For so long a connection to this machine may take to open. */
const patienceMs = 300;

// A process that is stopped accepts nothing. Once its backlog is full, the kernel drops what comes, as it does for an address whose
// pod is gone.
const listener = `
  const server = require('node:net').createServer();
  const [port, host] = process.argv.slice(-2);
  server.listen({ port: Number(port), host, backlog: 1 }, () => process.send('listening'));
`;

type Found = (error: Error | null, address: unknown, family?: number) => void;

/**
 * A name that leads to an address where every packet vanishes, until the part behind it has moved. It steers the look-ups of
 * this process, and needs no rights: see `listener`.
 */
export class MovingName {
  /** One that no connection is kept open to. */
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

  /** @param port Of the part; nothing answers at the same port of the old address. */
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
      // A process that stalled runs its timers before it reads its sockets.
      await immediate();
      isOpen ||= !socket.connecting;
    }
    return new MovingName(hole, fill);
  }

  /** From now on the name leads to the part. */
  move(): void {
    this.#addresses = [newAddress];
  }

  /** The name leads to where nothing answers again. */
  vanish(): void {
    this.#addresses = [oldAddress];
  }

  /** The name has both addresses. */
  spread(): void {
    this.#addresses = [oldAddress, newAddress];
  }

  /** Resolves when the name is looked up next. */
  async dialled(): Promise<void> {
    await once(this.#lookUps, 'done');
  }

  /** `url` by this name. */
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
