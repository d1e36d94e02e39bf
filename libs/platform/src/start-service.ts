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
 * The longest time from the drain to the end of the process: the longest request, the check of a large upload, has 30
 * s. A supervisor must wait longer before it kills.
 */
export const shutdownTimeoutMs = 35_000;

/** A running process; `stop` resolves after its last request is answered. */
export interface RunningApp {
  readonly app: INestApplicationContext;
  readonly stop: () => Promise<void>;
}

/** Starts a service without handling the signals of the process. */
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
 * Gives a started application its health port and its events. `stop` then ends it in order: unready, a pause for load
 * balancers, no new work (`finish`), connections closed.
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

/** Sends the application's log lines, from the first one on, to the JSON log. */
export function useLogger(app: INestApplicationContext): void {
  app.useLogger(app.get(Logger));
  app.flushLogs();
}

export async function startService(module: Type): Promise<void> {
  shutDownOnSignals(await runService(module));
}

/**
 * SIGTERM and SIGINT stop the app in order; a second signal or `shutdownTimeoutMs` ends it immediately. A bus
 * connection that closed for good ends the process, which would run without requests otherwise.
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
