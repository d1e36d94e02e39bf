import { contract, request } from '@stoa/contracts';
import { type NatsUser, startNats } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { z } from 'zod';
import { Bus, type Call, connectBus, RequestServer, type RequestServerOptions } from '../src/index.ts';

const Text = z.object({ text: z.string().min(1) });
const Answer = z.object({ text: z.string() });
// The subjects must belong to a real service: no user has rights to others.
export const echo = contract('contact', {
  say: request({ input: Text, output: Answer }),
  read: request({ semantics: 'safe', input: Text, output: Answer }),
  change: request({ semantics: 'idempotent', input: Text, output: Answer }),
  check: request({ slow: true, input: Text, output: Answer }),
});

type Connection = Awaited<ReturnType<typeof connectBus>>;
type Handler = (input: { text: string }, call: Call) => Promise<unknown>;
type Settings = Omit<RequestServerOptions, 'queue'>;
type ServerOptions = Partial<Settings> & { url?: string };

/** One function per subject, because Nest stores the subject on the function. */
const handlerOf =
  (handler: Handler): MessageHandler =>
  (input: { text: string }, call: Call) =>
    handler(input, call);

/** NATS, a bus that sends requests, and replicas of a service, each with a handler of its own. */
export class EchoService {
  readonly replicas: { server: RequestServer; connection: Connection }[] = [];
  readonly nats: Awaited<ReturnType<typeof startNats>>;
  readonly bus: Bus;

  private constructor(nats: Awaited<ReturnType<typeof startNats>>, bus: Bus) {
    this.nats = nats;
    this.bus = bus;
  }

  static async open(): Promise<EchoService> {
    const nats = await startNats();
    return new EchoService(nats, new Bus(await connectAs(nats, 'gateway')));
  }

  connect(user: NatsUser, url?: string): Promise<Connection> {
    return connectAs(this.nats, user, url);
  }

  async serve(handler: Handler, { url, ...options }: ServerOptions = {}): Promise<RequestServer> {
    const connection = await this.connect('contact', url);
    const bounds = { concurrency: 4, backlog: 10, ...options };
    const server = new RequestServer(connection, { queue: 'contact', ...bounds });
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

  /** Ends a replica without its pending answers, as SIGKILL does. Resolves once NATS sends it no more requests. */
  async lose(replica: number): Promise<void> {
    await this.replicas[replica]?.connection.drain();
  }

  /** Drops the lost replicas: stopping one would wait for its last answer for ever. */
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
    await this.nats.close();
  }
}

const connectAs = (nats: EchoService['nats'], user: NatsUser, url = nats.url) =>
  connectBus({ url, name: 'test', user, password: nats.credentials(user).pass });
