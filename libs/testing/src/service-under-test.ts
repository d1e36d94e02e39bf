import type { Caller, Event, Facts, Input, Output, Request } from '@stoa/contracts';
import { Bus, connectBus, EventPublisher, RequestServer } from '@stoa/messaging';
import { type RunningApp, runService } from '@stoa/platform';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { type NatsUser, type Service, startNats } from '@stoa/system';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { requestKeys, requestSigner } from './callers.ts';
import { createDatabase } from './database.ts';
import { EventTap } from './event-tap.ts';
import { testParts } from './parts.ts';
import { Wire } from './wire.ts';

export interface ServiceUnderTest {
  readonly app: INestApplicationContext;
  readonly databaseUrl: string;
  /** Subjects that the service answers on. */
  readonly handled: () => string[];
  /** Asks as the gateway does, on behalf of `caller`; for ten seconds unless told. */
  readonly ask: <R extends Request>(
    request: R,
    input: Input<R>,
    caller?: Caller,
    timeoutMs?: number,
  ) => Promise<Output<R>>;
  /** Announces an event as its own service would; the same `id` again is a repeated delivery. */
  readonly announce: <E extends Event>(event: E, facts: Facts<E>, id?: string) => Promise<void>;
  /** Every event seen on the stream since the start. */
  readonly events: EventTap;
  /**
   * Starts another replica with these settings besides. `cut` takes it off the bus, as its death would; what it has begun it
   * goes on with, until `stop`.
   */
  readonly addReplica: (environment?: Record<string, string>) => Promise<Replica>;
  readonly stop: () => Promise<void>;
}

export interface ServiceUnderTestOptions {
  readonly service: Service;
  /** Folder of the service's workspace, as a file URL ending in a slash. */
  readonly folder: URL;
  readonly environment?: Record<string, string>;
}

export interface Replica {
  readonly cut: () => void;
  readonly stop: () => Promise<void>;
}

async function startReplica(module: Type): Promise<RunningApp> {
  const running = await runService(module);
  // It starts without NATS too: what it subscribes to is known to the server after this.
  await (await running.app.get(Bus).opened).flush();
  return running;
}

/** Starts one service in this process on a database and a NATS server of its own. */
export async function startServiceUnderTest(
  module: Type,
  { service, folder, environment = {} }: ServiceUnderTestOptions,
): Promise<ServiceUnderTest> {
  const parts = testParts();
  const database = await createDatabase(
    parts.postgres.adminUrl,
    fileURLToPath(new URL('prisma/migrations', folder)),
  );
  const nats = await startNats();
  Object.assign(process.env, {
    SERVICE_NAME: service,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    NATS_USER: service,
    NATS_PASSWORD: nats.credentials(service).pass,
    HEALTH_PORT: '0',
    BIND_ADDRESS: '127.0.0.1',
    SITE_URL: 'http://localhost:8080',
    REQUEST_PUBLIC_KEYS: requestKeys.publicKeys,
    DATABASE_URL: database.url,
    ...environment,
  });
  const running = await startReplica(module);
  const others = new Set<Replica>();
  const connect = (user: NatsUser) =>
    connectBus({ url: nats.url, name: 'test', user, password: nats.credentials(user).pass });
  const [gateway, provision] = await Promise.all([connect('gateway'), connect('provision')]);
  const bus = new Bus(gateway, requestSigner);
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
      const wire = new Wire(Number(address.port));
      await wire.open();
      address.port = String(wire.port);
      const before = { ...process.env };
      Object.assign(process.env, { ...settings, NATS_URL: address.href });
      const other = await startReplica(module);
      process.env = before;
      const replica: Replica = {
        cut: () => wire.close(),
        stop: async () => {
          others.delete(replica);
          await other.stop();
          wire.close();
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
      await nats.stop();
      await database.drop();
    },
  };
}

/** The service's database as somebody with every right, who may change its tables. */
export function adminUrlOf({ databaseUrl }: Pick<ServiceUnderTest, 'databaseUrl'>): string {
  const { pathname } = new URL(databaseUrl);
  return Object.assign(new URL(testParts().postgres.adminUrl), { pathname }).href;
}
