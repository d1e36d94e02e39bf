import { Bus, PendingConnection, type OutboxBacklog, OutboxRelay, RequestServer } from '@stoa/messaging';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Database, isDatabaseOutage } from './database.ts';
import { ProcessConfig, ServiceConfig } from './environment.ts';
import { EventListeners, eventMode, type EventOutage, eventOutage } from './event-listeners.ts';
import { DueNotices } from './leases/due-notices.ts';
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

const bus = {
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

/** The basis of every process: configuration, log, bus, events, health. It starts without waiting for other parts. */
@Global()
@Module({})
export class PlatformModule {
  /** For a service with a database. It has the table `outbox` if it announces events, and `inbox` if it listens to events. */
  static forService({ announces = false } = {}): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [
        ...common,
        bus,
        ServiceConfig,
        Database,
        DueNotices,
        InboxSweeper,
        ...(announces ? [outboxRelay] : []),
        {
          provide: RequestServer,
          inject: [Bus, ServiceConfig],
          useFactory: (bus: Bus, config: ServiceConfig) =>
            new RequestServer(bus.opened, {
              queue: config.SERVICE_NAME,
              concurrency: config.REQUEST_CONCURRENCY,
              backlog: config.REQUEST_BACKLOG,
              isOutage: isDatabaseOutage,
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
   * For the gateway: no database, and every replica receives every event. It starts and is ready without NATS, to
   * serve pages and problems with trace ids. Without a ready gateway an ingress would answer a bare 503.
   */
  static forGateway(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [...common, bus, { provide: eventMode, useValue: 'broadcast' }],
      exports: [Bus, Health],
    };
  }

  /** For the edge: like the gateway, but it sends no requests to services. */
  static forEdge(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, loggerModule()],
      providers: [...common, bus, { provide: eventMode, useValue: 'broadcast' }],
      exports: [Bus, Health],
    };
  }
}
