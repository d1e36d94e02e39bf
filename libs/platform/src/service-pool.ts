import { isDialTimeout, leftMs, timedSocket } from '@stoa/messaging';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { AsyncResource } from 'node:async_hooks';
import { connect } from 'node:net';

/** Milliseconds that the server may take to confirm a cancellation before the connection is closed. */
const cancelMs = 100;
/**
 * The code of a CancelRequest in Postgres's protocol. A client sends it over a second connection instead of a
 * log-in.
 */
const cancelCode = 80_877_102;
const queryCanceled = '57014';
/** The end of a transaction is never delayed, because its locks would stay. */
const endOfTransaction = /^\s*(COMMIT|ROLLBACK)\b/i;

type Callback = (error: Error | undefined, client?: PoolClient, release?: (error?: Error) => void) => void;
type Query = (...args: unknown[]) => unknown;
type Settled = (error?: unknown) => void;

/** The key that the server sent when the connection opened. */
interface BackendKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * A connection whose statements end with the request that they serve: at its deadline it asks the server to cancel
 * the running one.
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
      const late = new Error('Query read timeout: the request is past its deadline.');
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
      // A hanging Postgres does not confirm the cancellation, so the connection is closed.
      timer = setTimeout(() => void this.end(), cancelMs);
    }, ms);
    return (error) => {
      clearTimeout(timer);
      // Closes the connection, because a late cancellation could hit the next statement.
      if (isCancelled && codeOf(error) !== queryCanceled) void this.end();
    };
  }

  /**
   * Sends the CancelRequest in plain text, as the protocol requires, even if the connection is encrypted: it
   * contains only numbers.
   */
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

/** A pool of `BudgetedClient`s. A request waits for a free connection only until its deadline. */
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
    // pg calls it in the async context of the request that releases a connection.
    const bind = AsyncResource.bind(callback);
    connected.then(
      (client) => bind(undefined, client, (error) => client.release(error)),
      (error: Error) => bind(error),
    );
  }

  /** Opens a connection. While time is left it resolves the name and dials again after an unanswered dial. */
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
    // `super.connect()` reads the option before it returns; 0 means no bound.
    options.connectionTimeoutMillis = bound === Infinity ? 0 : Math.max(1, bound);
    try {
      return super.connect();
    } finally {
      options.connectionTimeoutMillis = usual;
    }
  }
}

/** Makes the client own its pool, so that the end of the client ends the pool. */
export const ownPool = { disposeExternalPool: true } as const;

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return String((query as { text?: unknown } | null)?.text ?? '');
}

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;
