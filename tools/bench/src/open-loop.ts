import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An open-loop load: requests are sent at a given rate, independent of answers, as by independent users. */
export interface OpenLoopLoad {
  readonly url: string;
  readonly path: () => string;
  /** Limit of open connections. A request is not sent if all of them are busy. */
  readonly sockets: number;
  readonly seconds: number;
}

export interface Outcome {
  /** Milliseconds of each answer by status, from the time when its request was due until its last byte. */
  readonly ms: ReadonlyMap<number, readonly number[]>;
  /** Number of refusals without Retry-After. */
  readonly unexplained: number;
  readonly unsent: number;
  readonly broken: number;
  readonly timedOut: number;
  /** Answers per second while requests were sent, by status. */
  readonly perSecond: (status: number) => number;
  /** Processor time of the load generator, in cores. */
  readonly cores: number;
}

/** Milliseconds after which a request without an answer counts as timed out. */
const patienceMs = 5000;
const tickMs = 2;
/** Connections that are opened concurrently; more would overflow the accept queue of an idle server. */
const opening = 100;

interface Waiting {
  readonly dueAt: number;
  readonly timer: NodeJS.Timeout;
}

interface Events {
  answered: (connection: Connection, status: number, head: string, dueAt: number) => void;
  /** `how` is undefined for a connection that was idle. */
  lost: (connection: Connection, how?: 'broken' | 'timedOut') => void;
}

/**
 * One keep-alive connection with one request at a time. It is minimal, because it shares the processor with
 * the server.
 */
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
      // An answer without `Content-Length` counts as broken, because its end is unknown.
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

/**
 * Sends `rate` requests per second, whether or not they are answered. Without a rate it sends one after the
 * other on each connection.
 */
export async function sendOpenLoop(
  { url, path, sockets, seconds }: OpenLoopLoad,
  rate?: number,
): Promise<Outcome> {
  const address = new URL(url);
  const ms = new Map<number, number[]>();
  const inTime = new Map<number, number>();
  const counts = { unexplained: 0, unsent: 0, broken: 0, timedOut: 0 };
  const idle = new Set<Connection>();
  let open = 0;
  let pending = 0;
  let endsAt = Number.POSITIVE_INFINITY;

  const request = () => `GET ${path()} HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`;
  const send = (connection: Connection, dueAt: number) => {
    pending += 1;
    connection.ask(request(), dueAt);
  };
  const openOne = () => {
    open += 1;
    return new Connection(address, {
      answered(connection, status, head, dueAt) {
        pending -= 1;
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
        pending -= 1;
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
      // Takes the connection that has been idle the longest. Otherwise the server would close those at the
      // end of the list.
      const [rested] = idle;
      const connection = rested ?? (open < sockets ? openOne() : undefined);
      if (rested) idle.delete(rested);
      if (connection) send(connection, began + (sent / rate) * 1000);
      else counts.unsent += 1;
    }
  }
  const { user, system } = process.cpuUsage(before);
  while (pending > 0) await pause(10);
  for (const { socket } of idle) socket.removeAllListeners('close').destroy();
  const cores = (user + system) / 1e6 / seconds;
  return { ...counts, ms, cores, perSecond: (status) => (inTime.get(status) ?? 0) / seconds };
}
