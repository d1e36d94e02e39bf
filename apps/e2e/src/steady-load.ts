import { randomUUID } from 'node:crypto';
import { randomIpAddress } from './api.ts';
import { theSystem } from './system.ts';

/** One request for each service. None of them can be answered from the gateway's cache. */
const requests = [
  { service: 'creators', method: 'GET', path: () => `/api/creators?search=${randomUUID()}` },
  { service: 'offerings', method: 'GET', path: () => '/api/me/offerings' },
  { service: 'identity', method: 'POST', path: () => '/api/session' },
  // The upload does not exist, so the media service answers 404, which counts as an answer.
  { service: 'media', method: 'POST', path: () => `/api/uploads/${randomUUID()}/complete` },
  { service: 'contact', method: 'POST', path: () => '/api/contact-messages' },
] as const;

const aMessage = () =>
  JSON.stringify({
    id: randomUUID(),
    name: 'Load',
    email: 'load@example.test',
    subject: 'S',
    message: 'M',
  });

/** Concurrent visitors, each of whom sends one request after the other until `stop`. */
export class SteadyLoad {
  answered = 0;
  /** Requests without an answer, or with a server error. */
  readonly lost: string[] = [];
  readonly #token: string;
  readonly #address: () => string;
  readonly #lanes: Promise<void>[];
  #going = true;

  /** @param address Called before each request. Returns the gateway that a load balancer would choose. */
  constructor(token: string, lanes: number, address = () => theSystem().siteUrl) {
    this.#token = token;
    this.#address = address;
    this.#lanes = Array.from({ length: lanes }, (_, lane) => this.#walk(lane));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#lanes);
  }

  async #walk(lane: number): Promise<void> {
    for (let turn = lane; this.#going; turn += 1) {
      const request = requests[turn % requests.length];
      if (request) await this.#ask(request);
    }
  }

  async #ask({ service, method, path }: (typeof requests)[number]): Promise<void> {
    const isMessage = service === 'contact';
    try {
      const response = await fetch(this.#address() + path(), {
        method,
        headers: {
          'x-forwarded-for': randomIpAddress(),
          authorization: `Bearer ${this.#token}`,
          ...(isMessage && { 'content-type': 'application/json' }),
        },
        ...(isMessage && { body: aMessage() }),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      if (response.status >= 500 || response.status === 429) this.lost.push(`${service} ${text}`);
      else this.answered += 1;
    } catch (error) {
      this.lost.push(`${service} ${String(error)}`);
    }
  }
}
