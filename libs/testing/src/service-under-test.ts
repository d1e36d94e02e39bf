import type { Caller, Event, Facts, Input, Output, Request } from '@stoa/contracts';
import { Bus, connectBus, EventPublisher } from '@stoa/messaging';
import { runService } from '@stoa/platform';
import type { INestApplication, Type } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { createDatabase } from './database.ts';
import { EventTap } from './event-tap.ts';
import { startTestNats, testParts } from './parts.ts';

export interface ServiceUnderTest {
  readonly app: INestApplication;
  readonly databaseUrl: string;
  /** Asks as the gateway does, on behalf of `caller`. */
  readonly ask: <R extends Request>(request: R, input: Input<R>, caller?: Caller) => Promise<Output<R>>;
  /** Announces an event as its own service would; the same `id` again is a repeated delivery. */
  readonly announce: <E extends Event>(event: E, facts: Facts<E>, id?: string) => Promise<void>;
  /** Every event seen on the stream since the start. */
  readonly events: EventTap;
  readonly stop: () => Promise<void>;
}

export interface ServiceUnderTestOptions {
  readonly service: string;
  /** Folder of the service's workspace, as a file URL ending in a slash. */
  readonly folder: URL;
  readonly environment?: Record<string, string>;
}

/** Starts one service in this process on a database and a NATS server of its own. */
export async function startServiceUnderTest(
  module: Type,
  { service, folder, environment = {} }: ServiceUnderTestOptions,
): Promise<ServiceUnderTest> {
  const parts = await testParts();
  const database = await createDatabase(
    parts.postgresAdminUrl,
    new URL('prisma/migrations', folder).pathname,
  );
  const nats = await startTestNats();
  const own = nats.credentials(service);
  Object.assign(process.env, {
    SERVICE_NAME: service,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    NATS_URL: nats.url,
    NATS_USER: own.user,
    NATS_PASSWORD: own.password,
    HEALTH_PORT: '0',
    BIND_ADDRESS: '127.0.0.1',
    SITE_URL: 'http://localhost:8080',
    DATABASE_URL: database.url,
    ...environment,
  });
  const running = await runService(module);
  const connect = (user: string) => connectBus({ url: nats.url, name: 'test', ...nats.credentials(user) });
  const [gateway, provision] = await Promise.all([connect('gateway'), connect('provision')]);
  const bus = new Bus(gateway);
  const publisher = new EventPublisher(provision);
  const events = await EventTap.open(provision);
  return {
    app: running.app,
    databaseUrl: database.url,
    events,
    ask: (request, input, caller) => bus.ask(request, input, { caller, timeoutMs: 10_000 }),
    announce: (event, facts, id = randomUUID()) =>
      publisher.publish({ id, subject: event.subject, payload: JSON.stringify(facts), headers: {} }),
    stop: async () => {
      await events.close();
      await Promise.all([gateway.close(), provision.close()]);
      await running.stop();
      await nats.stop();
      await database.drop();
    },
  };
}
