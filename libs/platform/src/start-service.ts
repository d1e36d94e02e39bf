import 'reflect-metadata';
import { Bus, RequestServer } from '@stoa/messaging';
import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from 'nestjs-pino';
import { setTimeout as pause } from 'node:timers/promises';
import { ProcessConfig } from './environment.ts';
import { EventListeners } from './event-listeners.ts';
import { Health } from './health.ts';
import { OutboxRelay } from './outbox-relay.ts';

const drainMs = 15_000;

/** A process that answers requests; `stop` resolves after the last one is answered. */
export interface RunningApp {
  readonly app: INestApplication;
  readonly stop: () => Promise<void>;
}

/** Builds a service and starts answering, without taking over the process's signals. */
export async function runService(module: Type): Promise<RunningApp> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    bufferLogs: true,
  });
  app.useLogger(app.get(Logger));
  const config = app.get(ProcessConfig);
  const bus = app.get(Bus);
  const server = new RequestServer(bus.connection, {
    queue: config.NATS_USER,
    concurrency: config.REQUEST_CONCURRENCY,
    backlog: config.REQUEST_BACKLOG,
  });
  app.connectMicroservice({ strategy: server });
  await app.startAllMicroservices();
  app.get(OutboxRelay).start();
  app.get(EventListeners).start();
  await app.listen(config.HEALTH_PORT, config.BIND_ADDRESS);
  const stop = async () => {
    app.get(Health).drain();
    await pause(config.SHUTDOWN_DELAY_MS);
    await Promise.all([server.close(), app.get(EventListeners).stop()]);
    await app.get(OutboxRelay).stop();
    await app.close();
    await bus.connection.drain();
  };
  return { app, stop };
}

/** Starts a service as the whole process: it drains on SIGTERM and exits when its bus is gone for good. */
export async function startService(module: Type): Promise<void> {
  superviseProcess(await runService(module));
}

/**
 * Ties the process to its app: SIGTERM and SIGINT stop it in order, a second one or 15 s at once; a bus
 * connection that closed for good ends the process, since it would stay up and deaf otherwise.
 */
export function superviseProcess({ app, stop }: RunningApp): void {
  const logger = app.get(Logger);
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.log(`${signal}: draining`);
    setTimeout(() => process.exit(1), drainMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  void app
    .get(Bus)
    .connection.closed()
    .then((error) => {
      if (stopping) return;
      logger.error(`the bus connection closed: ${error?.message ?? 'no reason given'}`);
      process.exit(1);
    });
  logger.log('ready');
}
