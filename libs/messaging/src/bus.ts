import { type Caller, type Input, type Output, type Request } from '@stoa/contracts';
import { asRequester } from '@stoa/telemetry';
import { type NatsConnection, NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { Refusal } from './refusal.ts';
import type { RequestSigner } from './signed-request.ts';
import { header, readAnswer, toHeaders } from './wire.ts';

// The client keeps requests through a short reconnect; after this long nobody should wait for one.
const graceMs = 1000;

export interface AskOptions {
  /** On whose behalf; services decide ownership by it. */
  readonly caller?: Caller | null | undefined;
  /** Milliseconds until the answer is given up; 5000 unless told. */
  readonly timeoutMs?: number;
}

/** Asks other services, by contract. */
export class Bus {
  readonly #connection: NatsConnection;
  readonly #signer: RequestSigner | undefined;
  #lostAt = Infinity;

  /** @param signer Without one nothing can be asked: no service takes a request that is not signed. */
  constructor(connection: NatsConnection, signer?: RequestSigner) {
    this.#connection = connection;
    this.#signer = signer;
    void this.#followStatus();
  }

  /** The connection itself, for JetStream and for health checks. */
  get connection(): NatsConnection {
    return this.#connection;
  }

  /**
   * Sends `input` to the service that `request` names and resolves to its parsed answer.
   *
   * @throws Refusal of the service; `unavailable` when nobody listens, `timeout` when the deadline passes.
   */
  async ask<R extends Request>(
    request: R,
    input: Input<R>,
    { caller, timeoutMs = 5000 }: AskOptions = {},
  ): Promise<Output<R>> {
    const signer = this.#signer;
    if (!signer) throw new Error(`There is no key here to sign ${request.subject} with.`);
    if (Date.now() - this.#lostAt > graceMs) throw busUnavailable();
    const body = JSON.stringify(input);
    const deadline = Date.now() + timeoutMs;
    const signed = await signer.sign({ subject: request.subject, body, caller: caller ?? null, deadline });
    const work = async (trace: Record<string, string>) => {
      const carried = {
        ...trace,
        [header.deadline]: String(deadline),
        [header.signed]: signed,
      };
      const answer = await this.#connection
        .request(request.subject, body, { timeout: timeoutMs, headers: toHeaders(carried) })
        .catch((error: unknown) => {
          throw unanswered(request, error);
        });
      return request.output.parse(readAnswer(answer)) as Output<R>;
    };
    return asRequester(request, work, (error) => (error instanceof Refusal ? error.code : 'internal'));
  }

  async #followStatus(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#lostAt = Math.min(this.#lostAt, Date.now());
      if (type === 'reconnect') this.#lostAt = Infinity;
    }
  }
}

function busUnavailable(): Refusal {
  return new Refusal('unavailable', 'The message bus is not available right now.');
}

function unanswered(request: Request, error: unknown): unknown {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  if (cause instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())) {
    return new Refusal('unavailable', `${request.service} is not available right now.`);
  }
  if (cause instanceof TimeoutError) {
    return new Refusal('timeout', `${request.service} did not answer in time.`);
  }
  return busUnavailable();
}
