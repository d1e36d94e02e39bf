import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests whose number nobody's answer changes: as they come from people who know nothing of each other. */
export interface OpenLoad {
  readonly url: string;
  /** The next path; called once for each request. */
  readonly path: () => string;
  /** Never more than these are open; a request that finds all of them taken is not sent. */
  readonly sockets: number;
  readonly seconds: number;
}

export interface Outcome {
  /** Of each answer, from when its request was due until its last byte, by its status. */
  readonly ms: ReadonlyMap<number, readonly number[]>;
  /** Refusals without Retry-After. */
  readonly unexplained: number;
  readonly unsent: number;
  readonly broken: number;
  readonly timedOut: number;
  /** Answers a second while requests were sent, by status. */
  readonly perSecond: (status: number) => number;
  /** Processor time of whoever asks, in cores. */
  readonly cores: number;
}

/** Every request is answered, broken or given up after this. */
const patienceMs = 5000;
const tickMs = 2;
/** Opened at once: more would overflow the queue of a server that is at rest. */
const opening = 100;

interface Waiting {
  readonly dueAt: number;
  readonly timer: NodeJS.Timeout;
}

interface Events {
  answered: (connection: Connection, status: number, head: string, dueAt: number) => void;
  /** `how` where something was asked. */
  lost: (connection: Connection, how?: 'broken' | 'timedOut') => void;
}

/** One kept-alive connection, which is asked one thing after the other, at as little cost as can be: it is paid by those who answer. */
class Connection {
  readonly socket: Socket;
  readonly #events: Events;
  #waiting: Waiting | undefined;
  #head = '';
  #missing = 0;

  constructor(url: URL, events: Events) {
    this.#events = events;
    this.socket = connect(Number(url.port), url.hostname).setNoDelay(true);
    this.socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => this.#lose('broken'));
  }

  ask(request: string, dueAt: number): void {
    const timer = setTimeout(() => this.#lose('timedOut'), patienceMs);
    this.#waiting = { dueAt, timer };
    this.socket.write(request);
  }

  #read(bytes: Buffer): void {
    if (this.#missing > 0) this.#missing -= bytes.length;
    else {
      this.#head += bytes.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#head) ?? [];
      // Its end could not be told from here.
      if (length === undefined) return this.#lose('broken');
      this.#missing = end + 4 + Number(length) - this.#head.length;
      this.#head = this.#head.slice(0, end);
    }
    if (this.#missing > 0 || !this.#waiting) return;
    const { dueAt, timer } = this.#waiting;
    clearTimeout(timer);
    this.#waiting = undefined;
    const head = this.#head;
    this.#head = '';
    this.#events.answered(this, Number(head.slice(9, 12)), head, dueAt);
  }

  #lose(how: 'broken' | 'timedOut'): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(waiting?.timer);
    this.socket.removeAllListeners('close').destroy();
    this.#events.lost(this, ...(waiting ? ([how] as const) : []));
  }
}

/** Sends `rate` requests a second whatever becomes of them; without a rate, one on each socket after the other. */
export async function sendOpen({ url, path, sockets, seconds }: OpenLoad, rate?: number): Promise<Outcome> {
  const address = new URL(url);
  const ms = new Map<number, number[]>();
  const inTime = new Map<number, number>();
  const counts = { unexplained: 0, unsent: 0, broken: 0, timedOut: 0 };
  const idle = new Set<Connection>();
  let open = 0;
  let asking = 0;
  let endsAt = Number.POSITIVE_INFINITY;

  const request = () => `GET ${path()} HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`;
  const send = (connection: Connection, dueAt: number) => {
    asking += 1;
    connection.ask(request(), dueAt);
  };
  const openOne = () => {
    open += 1;
    return new Connection(address, {
      answered(connection, status, head, dueAt) {
        asking -= 1;
        const now = performance.now();
        const times = ms.get(status) ?? [];
        ms.set(status, times);
        times.push(now - dueAt);
        if (now < endsAt) inTime.set(status, (inTime.get(status) ?? 0) + 1);
        if (status === 503 && !/\r\nretry-after: *\d/i.test(head)) counts.unexplained += 1;
        if (rate === undefined && now < endsAt) send(connection, now);
        else idle.add(connection);
      },
      lost(connection, how) {
        open -= 1;
        idle.delete(connection);
        if (!how) return;
        asking -= 1;
        counts[how] += 1;
      },
    });
  };
  for (let count = 0; count < sockets; count += opening) {
    for (let more = 0; more < Math.min(opening, sockets - count); more += 1) idle.add(openOne());
    await pause(10);
  }

  const began = performance.now();
  const before = process.cpuUsage();
  endsAt = began + seconds * 1000;
  if (rate === undefined)
    for (const connection of idle) {
      idle.delete(connection);
      send(connection, began);
    }
  for (let sent = 0; performance.now() < endsAt; await pause(tickMs)) {
    if (rate === undefined) continue;
    for (const due = ((performance.now() - began) / 1000) * rate; sent < due; sent += 1) {
      // The one that has rested for the longest, or those at the end would be closed for their rest.
      const [rested] = idle;
      const connection = rested ?? (open < sockets ? openOne() : undefined);
      if (rested) idle.delete(rested);
      if (connection) send(connection, began + (sent / rate) * 1000);
      else counts.unsent += 1;
    }
  }
  const { user, system } = process.cpuUsage(before);
  while (asking > 0) await pause(10);
  for (const { socket } of idle) socket.removeAllListeners('close').destroy();
  const cores = (user + system) / 1e6 / seconds;
  return { ...counts, ms, cores, perSecond: (status) => (inTime.get(status) ?? 0) / seconds };
}
