import { contract, request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats, waitFor } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { expect } from '@jest/globals';
import { z } from 'zod';
import { isNoResponders, replicasSubject } from '../src/service-liveness.ts';
import {
  Bus,
  type Call,
  connectBus,
  RequestServer,
  type RequestServerOptions,
  RequestSigner,
  RequestVerifier,
} from '../src/index.ts';

const Text = z.object({ text: z.string().min(1) });
const Answer = z.object({ text: z.string() });
// The subjects must be a real service's: nobody has rights to others.
export const echo = contract('contact', {
  say: request({ input: Text, output: Answer }),
  read: request({ semantics: 'safe', input: Text, output: Answer }),
  change: request({ semantics: 'idempotent', input: Text, output: Answer }),
  check: request({ slow: true, input: Text, output: Answer }),
});

type Connection = Awaited<ReturnType<typeof connectBus>>;
type Handler = (input: { text: string }, call: Call) => Promise<unknown>;
type Settings = Omit<RequestServerOptions, 'queue' | 'verifier'>;
type ServerOptions = Partial<Settings> & { url?: string };

/** One function for each subject: Nest notes on it what it handles. */
const handlerOf =
  (handler: Handler): MessageHandler =>
  (input: { text: string }, call: Call) =>
    handler(input, call);

/** NATS, somebody who asks, and replicas of a service of which each may answer otherwise. */
export class EchoService {
  readonly replicas: { server: RequestServer; connection: Connection }[] = [];
  readonly nats: Awaited<ReturnType<typeof startNats>>;
  readonly signer: RequestSigner;
  bus: Bus;
  readonly #publicKeys: string;

  private constructor(
    nats: Awaited<ReturnType<typeof startNats>>,
    bus: Bus,
    keys: string,
    signer: RequestSigner,
  ) {
    this.nats = nats;
    this.bus = bus;
    this.#publicKeys = keys;
    this.signer = signer;
  }

  static async open(): Promise<EchoService> {
    const nats = await startNats();
    const { signingKey, publicKeys } = makeRequestKeys();
    const signer = new RequestSigner(signingKey);
    const bus = new Bus(await connectAs(nats, 'gateway'), signer);
    return new EchoService(nats, bus, publicKeys, signer);
  }

  connect(user: NatsUser, url?: string): Promise<Connection> {
    return connectAs(this.nats, user, url);
  }

  async serve(handler: Handler, { url, ...options }: ServerOptions = {}): Promise<RequestServer> {
    const connection = await this.connect('contact', url);
    const verifier = new RequestVerifier(this.#publicKeys);
    const bounds = { concurrency: 4, backlog: 10, ...options };
    const server = new RequestServer(connection, { queue: 'contact', verifier, ...bounds });
    for (const each of Object.values(echo))
      server.addHandler(each.subject, handlerOf(handler), false, { request: each });
    server.listen(() => undefined);
    await connection.flush();
    this.replicas.push({ server, connection });
    return server;
  }

  say(text: string, timeoutMs = 5000): Promise<{ text: string }> {
    return this.bus.ask(echo.say, { text }, { timeoutMs });
  }

  /** From now on somebody asks who knows all replicas, so that one that is lost is missed. */
  async meetReplicas(): Promise<void> {
    await this.bus.connection.close();
    this.bus = new Bus(await this.connect('gateway'), this.signer);
    await this.say('hello');
    // The greeting's answer, and of each replica that it is there and what it has in hand.
    await waitFor(() =>
      expect(this.bus.connection.stats().inMsgs).toBeGreaterThanOrEqual(1 + 2 * this.replicas.length),
    );
  }

  /** Without a goodbye, as by SIGKILL. Resolves once NATS deals it nothing any more. */
  async lose(replica: number): Promise<void> {
    await this.replicas[replica]?.connection.close();
    const left = this.replicas.filter(({ connection }) => !connection.isClosed()).length;
    await waitFor(async () => expect(await this.#present()).toBe(left));
  }

  async #present(): Promise<number> {
    const asked = this.bus.connection.requestMany(replicasSubject('contact'), '[]', { maxWait: 200 });
    let present = 0;
    try {
      for await (const _ of await asked) present += 1;
      return present;
    } catch (error) {
      if (isNoResponders(error)) return 0;
      throw error;
    }
  }

  /** A replica that waited for its last answer would wait for ever. */
  forgetTheLost(): void {
    const left = this.replicas.filter(({ connection }) => !connection.isClosed());
    this.replicas.splice(0, this.replicas.length, ...left);
  }

  async stopReplicas(): Promise<void> {
    for (const { server, connection } of this.replicas.splice(0)) {
      await server.close();
      await connection.close();
    }
  }

  async close(): Promise<void> {
    await this.bus.connection.close();
    await this.nats.stop();
  }
}

const connectAs = (nats: EchoService['nats'], user: NatsUser, url = nats.url) =>
  connectBus({ url, name: 'test', user, password: nats.credentials(user).pass });
