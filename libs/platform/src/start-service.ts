import 'reflect-metadata';
import { Bus, RequestServer } from '@stoa/messaging';
import { flushTelemetry } from '@stoa/telemetry';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { Logger } from 'nestjs-pino';
import { setTimeout as pause } from 'node:timers/promises';
import { ProcessConfig } from './environment.ts';
import { EventListeners } from './event-listeners.ts';
import { Health } from './health.ts';
import { serveHealth } from './health-server.ts';
import { releaseMemoryAtRest } from './memory-at-rest.ts';

/**
 * Longest time from the drain to the end of the process: the longest request, the checking of a large upload, has
 * 30 s. A supervisor that kills must wait for longer.
 */
export const shutdownTimeoutMs = 35_000;

/** A process at work; `stop` resolves after its last request is answered. */
export interface RunningApp {
  readonly app: INestApplicationContext;
  readonly stop: () => Promise<void>;
}

/** Builds a service and starts answering, without taking over the process's signals. */
export async function runService(module: Type): Promise<RunningApp> {
  const options: AsyncMicroserviceOptions = {
    inject: [RequestServer],
    useFactory: (strategy: RequestServer) => ({ strategy }),
  };
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    ...options,
    bufferLogs: true,
  });
  useLogger(app);
  await app.listen();
  return withGracefulShutdown(app, () => app.get(RequestServer).close());
}

/**
 * Gives a started application its health port and its events, and the way to stop it in order: not ready,
 * time for load balancers to notice, no more work in (`finish`), then connections closed.
 */
export async function withGracefulShutdown(
  app: INestApplicationContext,
  finish: () => Promise<void>,
): Promise<RunningApp> {
  const config = app.get(ProcessConfig);
  const health = app.get(Health);
  const listeners = app.get(EventListeners);
  listeners.start();
  const server = await serveHealth(health, config.HEALTH_PORT, config.BIND_ADDRESS);
  const stop = async () => {
    health.drain();
    app.get(Bus).stopWaiting();
    await pause(config.SHUTDOWN_DELAY_MS);
    await Promise.all([finish(), listeners.stop()]);
    await app.close();
    await app.get(Bus).close();
    server.close();
    server.closeAllConnections();
  };
  return { app, stop };
}

/** Sends what the application logs, from its first line on, to the JSON log. */
export function useLogger(app: INestApplicationContext): void {
  app.useLogger(app.get(Logger));
  app.flushLogs();
}

/** Starts a service as the whole process. */
export async function startService(module: Type): Promise<void> {
  shutDownOnSignals(await runService(module));
}

/**
 * Ties the process to its app: SIGTERM and SIGINT stop it in order, a second one or `shutdownTimeoutMs` at once. A bus
 * connection that closed for good ends the process, which would stay up and deaf otherwise.
 */
export function shutDownOnSignals({ app, stop }: RunningApp): void {
  const logger = app.get(Logger);
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.log(`${signal}: draining`);
    setTimeout(() => process.exit(1), app.get(ProcessConfig).SHUTDOWN_DELAY_MS + shutdownTimeoutMs).unref();
    stop()
      .finally(flushTelemetry)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error(error);
          process.exit(1);
        },
      );
  };
  releaseMemoryAtRest();
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const ended = app.get(Bus).opened.then((connection) => connection.closed());
  ended.then(
    (error) => {
      if (stopping) return;
      logger.error(`the bus connection closed: ${error?.message ?? 'no reason given'}`);
      process.exit(1);
    },
    () => undefined,
  );
  logger.log('ready');
}
