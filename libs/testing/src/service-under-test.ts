import type { Caller, Event, Facts, Input, Output, Request } from '@stoa/contracts';
import { Bus, connectBus, EventPublisher, RequestServer } from '@stoa/messaging';
import { type RunningApp, runService } from '@stoa/platform';
import type { INestApplicationContext, Type } from '@nestjs/common';
import type { NatsUser, Service } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createDatabase } from './database.ts';
import { EventTap } from './event-tap.ts';
import { openNats } from './nats.ts';
import { testParts } from './parts.ts';
import { TcpProxy } from './tcp-proxy.ts';

export interface ServiceUnderTest {
  readonly app: INestApplicationContext;
  readonly databaseUrl: string;
  /** Subjects that the service answers on. */
  readonly handled: () => string[];
  /** Sends a request like the gateway, on behalf of `caller`. The default timeout is 10 s. */
  readonly ask: <R extends Request>(
    request: R,
    input: Input<R>,
    caller?: Caller,
    timeoutMs?: number,
  ) => Promise<Output<R>>;
  /** Publishes an event like its own service. The same `id` simulates a repeated delivery. */
  readonly announce: <E extends Event>(event: E, facts: Facts<E>, id?: string) => Promise<void>;
  /** All events on the stream since the start. */
  readonly events: EventTap;
  /**
   * Starts another replica with additional settings. `cut` closes its NATS connection, like a crash. It continues its
   * requests until `stop`.
   */
  readonly addReplica: (environment?: Record<string, string>) => Promise<Replica>;
  readonly stop: () => Promise<void>;
}

export interface ServiceUnderTestOptions {
  readonly service: Service;
  /** The folder of the service's workspace, as a file URL with a trailing slash. */
  readonly folder: URL;
  readonly environment?: Record<string, string>;
}

export interface Replica {
  readonly cut: () => void;
  readonly stop: () => Promise<void>;
}

async function startReplica(module: Type): Promise<RunningApp> {
  const running = await runService(module);
  // Waits for NATS, because a service starts without it. After the flush the server knows the service's
  // subscriptions.
  await (await running.app.get(Bus).opened).flush();
  return running;
}

/** Starts a service in this process with its own database and its own NATS account. */
export async function startServiceUnderTest(
  module: Type,
  { service, folder, environment = {} }: ServiceUnderTestOptions,
): Promise<ServiceUnderTest> {
  const parts = testParts();
  const database = await createDatabase(
    parts.postgres.adminUrl,
    fileURLToPath(new URL('prisma/migrations', folder)),
  );
  const nats = await openNats();
  const { user, pass } = nats.credentials(service);
  Object.assign(process.env, {
    SERVICE_NAME: service,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    NATS_USER: user,
    NATS_PASSWORD: pass,
    HEALTH_PORT: '0',
    BIND_ADDRESS: '127.0.0.1',
    SITE_URL: 'http://localhost:8080',
    DATABASE_URL: database.url,
    ...environment,
  });
  const running = await startReplica(module);
  const others = new Set<Replica>();
  const connect = (as: NatsUser) => {
    const { user, pass } = nats.credentials(as);
    return connectBus({ url: nats.url, name: 'test', user, password: pass });
  };
  const [gateway, provision] = await Promise.all([connect('gateway'), connect('provision')]);
  const bus = new Bus(gateway);
  const events = await EventTap.open(provision);
  return {
    app: running.app,
    databaseUrl: database.url,
    handled: () => [...running.app.get(RequestServer).getHandlers().keys()].toSorted(),
    events,
    ask: (request, input, caller, timeoutMs = 10_000) => bus.ask(request, input, { caller, timeoutMs }),
    announce: async (event, facts, id = randomUUID()) => {
      const announcer = await connect(event.service as NatsUser);
      const payload = JSON.stringify(facts);
      await new EventPublisher(announcer).publish({ id, subject: event.subject, payload, headers: {} });
      await announcer.close();
    },
    addReplica: async (settings = {}) => {
      const address = new URL(nats.url);
      const proxy = new TcpProxy(Number(address.port));
      await proxy.open();
      address.port = String(proxy.port);
      const before = { ...process.env };
      Object.assign(process.env, { ...settings, NATS_URL: address.href });
      const other = await startReplica(module);
      process.env = before;
      const replica: Replica = {
        cut: () => proxy.close(),
        stop: async () => {
          others.delete(replica);
          await other.stop();
          proxy.close();
        },
      };
      others.add(replica);
      return replica;
    },
    stop: async () => {
      await events.close();
      await Promise.all([gateway.close(), provision.close()]);
      await Promise.all([...others].map((other) => other.stop()));
      await running.stop();
      await database.drop();
    },
  };
}

/** The URL of the service's database for the superuser, who may change its tables. */
export function adminUrlOf({ databaseUrl }: Pick<ServiceUnderTest, 'databaseUrl'>): string {
  const { pathname } = new URL(databaseUrl);
  return Object.assign(new URL(testParts().postgres.adminUrl), { pathname }).href;
}
