import type { Input, ProblemCode, Request } from '@stoa/contracts';
import { header } from '@stoa/messaging';
import type { NatsUser } from '@stoa/testing';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** Answers NATS requests instead of the services. */
export class ServiceStubs {
  readonly #gateway: GatewayUnderTest;
  readonly #open: { close: () => Promise<void> }[] = [];

  constructor(gateway: GatewayUnderTest) {
    this.#gateway = gateway;
  }

  /** Answers a request with `reply`. Returns a list to which the inputs are added. */
  answer(request: Request, reply: object): Promise<unknown[]> {
    return this.#subscribe(request, () => reply);
  }

  /** Answers a request with a reply that depends on the input. Returns a list to which the inputs are added. */
  answerWith<R extends Request>(request: R, reply: (input: Input<R>) => object): Promise<unknown[]> {
    return this.#subscribe(request, reply as (input: unknown) => object);
  }

  /**
   * Answers a request after `delayMs`, with a reply that depends on the input. Returns a list to which the inputs are added.
   */
  answerSlowly<R extends Request>(
    request: R,
    delayMs: number,
    reply: (input: Input<R>) => object,
  ): Promise<unknown[]> {
    return this.#subscribe(request, reply as (input: unknown) => object, undefined, delayMs);
  }

  refuse(request: Request, code: ProblemCode, retryAfter?: number): Promise<unknown[]> {
    return this.#subscribe(request, () => ({ code, message: 'No.', fields: [], retryAfter }), code);
  }

  /** Answers with a refusal that the caller writes, as a service of another release may send. */
  refuseWith(request: Request, code: string, refusal: () => object): Promise<unknown[]> {
    return this.#subscribe(request, refusal, code);
  }

  /** Receives requests and never answers them. */
  async hang(request: Request): Promise<void> {
    const connection = await this.#gateway.connectAs(request.service as NatsUser);
    this.#open.push(connection);
    connection.subscribe(request.subject, { callback: () => {} });
    await connection.flush();
  }

  /** Receives requests and answers them when the test calls `release`. */
  async hold<R extends Request>(
    request: R,
    reply: (input: Input<R>) => object,
  ): Promise<{ asked: Input<R>[]; release: () => void }> {
    const asked: Input<R>[] = [];
    const released = Promise.withResolvers<void>();
    const connection = await this.#gateway.connectAs(request.service as NatsUser);
    this.#open.push(connection);
    connection.subscribe(request.subject, {
      callback: (_, message) => {
        const input = message.json<Input<R>>();
        asked.push(input);
        void released.promise.then(() => message.respond(JSON.stringify(reply(input))));
      },
    });
    await connection.flush();
    return { asked, release: released.resolve };
  }

  async leave(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((connection) => connection.close()));
  }

  async #subscribe(
    request: Request,
    reply: (input: unknown) => object,
    refusal?: string,
    delayMs?: number,
  ): Promise<unknown[]> {
    const connection = await this.#gateway.connectAs(request.service as NatsUser);
    this.#open.push(connection);
    const asked: unknown[] = [];
    connection.subscribe(request.subject, {
      callback: (_, message) => {
        const input: unknown = message.json();
        const { headers } = message;
        // On a busy machine the stub answers late. The bus then retries, and the retry must not count.
        if (!headers?.get(header.retry)) asked.push(input);
        if (refusal) headers?.set('Stoa-Refusal', refusal);
        const respond = () =>
          message.respond(JSON.stringify(reply(input)), refusal && headers ? { headers } : {});
        if (delayMs === undefined) respond();
        else setTimeout(respond, delayMs);
      },
    });
    await connection.flush();
    return asked;
  }
}
