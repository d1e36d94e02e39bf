import { isDialTimeout, leftMs, timedSocket } from '@stoa/messaging';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { AsyncResource } from 'node:async_hooks';
import { connect } from 'node:net';

/** How long the server may take to say that it has cancelled a statement, before the connection is given up. */
const cancelMs = 100;
/** Of the protocol: the code that begins a CancelRequest, which a connection of its own carries instead of a log-in. */
const cancelCode = 80_877_102;
const queryCanceled = '57014';
/** What ends a transaction is never held back: its locks would stay. */
const endOfTransaction = /^\s*(COMMIT|ROLLBACK)\b/i;

type Callback = (error: Error | undefined, client?: PoolClient, release?: (error?: Error) => void) => void;
type Query = (...args: unknown[]) => unknown;
type Settled = (error?: unknown) => void;

/** What the server told when the connection was made. */
interface BackendKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * A connection whose statements end with the request that they serve: the server is told to cancel what runs when its time is
 * over, without a word to it before that.
 */
class BudgetedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Query;
    this.query = ((...args: unknown[]) => this.#withinBudget(query, args)) as Client['query'];
  }

  #withinBudget(query: Query, args: unknown[]): unknown {
    const left = leftMs();
    if (left === Infinity || endOfTransaction.test(textOf(args[0]))) return query(...args);
    const at = args.length - 1;
    const callback = args[at];
    if (left < 1) {
      const late = new Error('Query read timeout: nobody waits for the answer.');
      if (typeof callback !== 'function') return Promise.reject(late);
      return void process.nextTick(callback, late);
    }
    const settled = this.#cancelAfter(left);
    if (typeof callback === 'function')
      return query(...args.slice(0, at), (error: unknown, ...rest: unknown[]) => {
        settled(error);
        (callback as Query)(error, ...rest);
      });
    const answer = query(...args) as Promise<unknown>;
    answer.then(() => settled(), settled);
    return answer;
  }

  #cancelAfter(ms: number): Settled {
    let isCancelled = false;
    let timer = setTimeout(() => {
      isCancelled = true;
      this.#cancel();
      // A server that hangs says nothing of it.
      timer = setTimeout(() => void this.end(), cancelMs);
    }, ms);
    return (error) => {
      clearTimeout(timer);
      // Otherwise the cancellation may still come, and hit whatever is asked next.
      if (isCancelled && codeOf(error) !== queryCanceled) void this.end();
    };
  }

  /** As the protocol has it, in plain text also where the connection itself is encrypted: it names nothing but numbers. */
  #cancel(): void {
    const { processID, secretKey } = this as unknown as BackendKey;
    if (processID === null || secretKey === null) return;
    const message = Buffer.alloc(16);
    [16, cancelCode, processID, secretKey].forEach((number, index) =>
      message.writeInt32BE(number, index * 4),
    );
    const { host, port } = this;
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(cancelMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.end(message);
  }
}

/** A pool of such connections, in which a request waits for a free one no longer than somebody waits for its answer. */
export class ServicePool extends Pool {
  constructor(options: PoolConfig) {
    super({ ...options, Client: BudgetedClient, stream: timedSocket } as PoolConfig);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    const bound = Math.min(this.options.connectionTimeoutMillis || Infinity, leftMs());
    const connected = this.#connectWithin(bound);
    if (!callback) return connected;
    // Whoever gives a connection back calls it, on behalf of another request.
    const bind = AsyncResource.bind(callback);
    connected.then(
      (client) => bind(undefined, client, (error) => client.release(error)),
      (error: Error) => bind(error),
    );
  }

  /** Dials again, by name, while an address gives no answer and there is time. */
  async #connectWithin(ms: number): Promise<PoolClient> {
    const until = performance.now() + ms;
    for (let left = ms; ; left = until - performance.now()) {
      try {
        return await this.#tryWithin(left);
      } catch (error) {
        if (!isDialTimeout(error) || performance.now() >= until) throw error;
      }
    }
  }

  #tryWithin(bound: number): Promise<PoolClient> {
    const { options } = this;
    const usual = options.connectionTimeoutMillis ?? 0;
    // Read by the pool before this returns; of its own 0 is no bound at all.
    options.connectionTimeoutMillis = bound === Infinity ? 0 : Math.max(1, bound);
    try {
      return super.connect();
    } finally {
      options.connectionTimeoutMillis = usual;
    }
  }
}

/** The pool is the client's own, and ends with it. */
export const ownPool = { disposeExternalPool: true } as const;

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return String((query as { text?: unknown } | null)?.text ?? '');
}

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;
