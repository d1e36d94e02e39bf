import {
  Bus,
  PendingConnection,
  type OutboxBacklog,
  OutboxRelay,
  RequestServer,
  RequestSigner,
  RequestVerifier,
} from '@stoa/messaging';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Database, isDatabaseOutage, isPassingOutage } from './database.ts';
import { BusClientConfig, ProcessConfig, ServiceConfig } from './environment.ts';
import { EventListeners, eventMode, type EventOutage, eventOutage } from './event-listeners.ts';
import { Health, readinessChecks } from './health.ts';
import { InboxSweeper } from './inbox.sweeper.ts';
import { loggerModule } from './logger.ts';

const common = [ProcessConfig, EventListeners, Health];

const busOptions = (config: ProcessConfig) => ({
  url: config.NATS_URL,
  user: config.NATS_USER,
  password: config.NATS_PASSWORD,
  name: config.SERVICE_NAME,
});

/** For apps that send no requests: they hold no signing key. */
const listeningBus = {
  provide: Bus,
  inject: [ProcessConfig],
  useFactory: (config: ProcessConfig) => new Bus(new PendingConnection(busOptions(config))),
};

const outboxRelay = {
  provide: OutboxRelay,
  inject: [Bus, ServiceConfig, Database],
  useFactory: ({ opened }: Bus, config: ServiceConfig, database: Database) =>
    new OutboxRelay(opened, {
      databaseUrl: config.DATABASE_URL,
      query: (sql) => database.query<OutboxBacklog>(sql),
    }),
};

/** What every process stands on: configuration, log, bus, events, health. None waits for another part before it starts. */
@Global()
@Module({})
export class PlatformModule {
  /** For a service with a database, which holds the table `outbox` if it announces events, and `inbox` if it listens. */
  static forService({ announces = false } = {}): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [
        ...common,
        listeningBus,
        ServiceConfig,
        Database,
        InboxSweeper,
        ...(announces ? [outboxRelay] : []),
        {
          provide: RequestServer,
          inject: [Bus, ServiceConfig],
          useFactory: (bus: Bus, config: ServiceConfig) =>
            new RequestServer(bus.opened, {
              queue: config.NATS_USER,
              verifier: new RequestVerifier(config.REQUEST_PUBLIC_KEYS),
              concurrency: config.REQUEST_CONCURRENCY,
              backlog: config.REQUEST_BACKLOG,
              isOutage: isDatabaseOutage,
              isPassing: isPassingOutage,
            }),
        },
        { provide: eventMode, useValue: 'durable' },
        {
          provide: eventOutage,
          inject: [Database],
          useFactory:
            (database: Database): EventOutage =>
            (error) =>
              database.isOutage(error),
        },
        {
          provide: readinessChecks,
          inject: [Database, Bus],
          useFactory: (database: Database, bus: Bus) => [
            { name: 'postgres', check: () => database.ping() },
            { name: 'nats', check: async () => bus.connection.rtt() },
          ],
        },
      ],
      exports: [Bus, ServiceConfig],
    };
  }

  /**
   * For the gateway: no database, and every replica sees every event. It starts and is ready without NATS: it has pages,
   * and problems that name their trace, where an ingress without any ready gateway would answer a bare 503.
   */
  static forGateway(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [
        ...common,
        BusClientConfig,
        {
          provide: Bus,
          inject: [BusClientConfig],
          useFactory: (config: BusClientConfig) =>
            new Bus(new PendingConnection(busOptions(config)), new RequestSigner(config.REQUEST_SIGNING_KEY)),
        },
        { provide: eventMode, useValue: 'broadcast' },
      ],
      exports: [Bus, Health],
    };
  }

  /** For edge: as the gateway, but it asks no service anything. */
  static forEdge(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [...common, listeningBus, { provide: eventMode, useValue: 'broadcast' }],
      exports: [Bus, Health],
    };
  }
}
