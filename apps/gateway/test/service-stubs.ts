import type { Input, ProblemCode, Request } from '@stoa/contracts';
import { header, replicasSubject } from '@stoa/messaging';
import type { NatsUser } from '@stoa/testing';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** Answers in place of services, one test at a time. */
export class ServiceStubs {
  readonly #gateway: GatewayUnderTest;
  readonly #open: { close: () => Promise<void> }[] = [];

  constructor(gateway: GatewayUnderTest) {
    this.#gateway = gateway;
  }

  /** Answers a request as its service would; resolves to the list of what it will be asked. */
  answer(request: Request, reply: object): Promise<unknown[]> {
    return this.#subscribe(request, () => reply);
  }

  /** The same with an answer that depends on what was asked. */
  work<R extends Request>(request: R, reply: (input: Input<R>) => object): Promise<unknown[]> {
    return this.#subscribe(request, reply as (input: unknown) => object);
  }

  /** The same, each answer `delayMs` after it was asked for. */
  workSlowly<R extends Request>(
    request: R,
    delayMs: number,
    reply: (input: Input<R>) => object,
  ): Promise<unknown[]> {
    return this.#subscribe(request, reply as (input: unknown) => object, undefined, delayMs);
  }

  refuse(request: Request, code: ProblemCode, retryAfter?: number): Promise<unknown[]> {
    return this.#subscribe(request, () => ({ code, message: 'No.', fields: [], retryAfter }), code);
  }

  /** Refuses with `code` as a service of another release does, in its own words. */
  refuseWith(request: Request, code: string, refusal: () => object): Promise<unknown[]> {
    return this.#subscribe(request, refusal, code);
  }

  /** Takes requests and never answers. */
  async hang(request: Request): Promise<void> {
    const connection = await this.#gateway.connectAs(request.service as NatsUser);
    this.#open.push(connection);
    connection.subscribe(request.subject, { callback: () => {} });
    await connection.flush();
  }

  /** Takes requests as a busy service does, and answers them once it is released. */
  async hold<R extends Request>(
    request: R,
    reply: (input: Input<R>) => object,
  ): Promise<{ asked: Input<R>[]; release: () => void }> {
    const asked: Input<R>[] = [];
    const released = Promise.withResolvers<void>();
    const connection = await this.#gateway.connectAs(request.service as NatsUser);
    this.#open.push(connection);
    connection.subscribe(replicasSubject(request.service), { callback: (_, ping) => void ping.respond() });
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
    // As services do: one that answers late on a busy machine is there nevertheless.
    connection.subscribe(replicasSubject(request.service), { callback: (_, ping) => void ping.respond() });
    connection.subscribe(request.subject, {
      callback: (_, message) => {
        const input: unknown = message.json();
        const { headers } = message;
        // A stub that a busy machine lets answer late is asked twice for what the gateway asked once.
        if (!headers?.get(header.resend)) asked.push(input);
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
