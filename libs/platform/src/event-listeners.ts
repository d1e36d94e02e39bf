import type { Event } from '@stoa/contracts';
import {
  Bus,
  handlersBySubject,
  EventConsumer,
  type EventHandler,
  listensTo,
  RecentEvents,
} from '@stoa/messaging';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { isRefusedValue } from './database.ts';
import { ProcessConfig } from './environment.ts';

/**
 * `durable`: one replica of a service handles each event, at least once.
 * `broadcast`: every process receives every event, for caches.
 */
export const eventMode = Symbol('eventMode');
export type EventMode = 'durable' | 'broadcast';

/** Whether a dependency of all handlers is away; provided by processes in `durable` mode. */
export const eventOutage = Symbol('eventOutage');
export type EventOutage = (error: unknown) => Promise<boolean>;

/** Milliseconds for which a process in `broadcast` mode may be disconnected without missing an event. */
const seenAgainMs = 60_000;

/** Finds every method marked with @Listens and passes its events to it. */
@Injectable()
export class EventListeners {
  #followed: readonly { stop(): Promise<void> }[] = [];
  #stopped = false;

  constructor(
    @Inject(Bus) private readonly bus: Bus,
    @Inject(ProcessConfig) private readonly config: ProcessConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(eventMode) private readonly mode: EventMode,
    @Optional() @Inject(eventOutage) private readonly isOutage?: EventOutage,
  ) {}

  get any(): boolean {
    return this.#handlers().length > 0;
  }

  /** @throws Error where two methods listen to the same event, immediately and not only once NATS is there. */
  start(): void {
    const handlers = this.#handlers();
    if (handlers.length === 0) return;
    handlersBySubject(handlers);
    if (this.mode === 'broadcast') return this.#follow([this.#broadcast(handlers)]);
    // Rejects only if the process stops before NATS is reachable.
    void this.bus.opened.then(
      (connection) => this.#follow(this.#durable(handlers, connection)),
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#followed.map((followed) => followed.stop()));
  }

  #follow(followed: readonly { start(): void; stop(): Promise<void> }[]): void {
    if (this.#stopped) return;
    for (const one of followed) one.start();
    this.#followed = followed;
  }

  /** Starts one consumer per stream, so that a slow stream does not delay the other. */
  #durable(handlers: EventHandler[], connection: Bus['connection']) {
    const streams = [...new Set(handlers.map(({ event }) => event.stream))];
    return streams.map((stream) => {
      const carried = handlers.filter(({ event }) => event.stream === stream);
      return new EventConsumer(connection, carried, {
        service: this.config.SERVICE_NAME,
        stream,
        maxAttempts: this.config.EVENT_MAX_ATTEMPTS,
        isUnprocessable: isRefusedValue,
        ...(this.isOutage && { isOutage: this.isOutage }),
      });
    });
  }

  #broadcast(handlers: EventHandler[]) {
    const handlerOf = handlersBySubject(handlers);
    return new RecentEvents(this.bus.opened, {
      events: handlers.map(({ event }) => event),
      service: this.config.SERVICE_NAME,
      sinceMs: seenAgainMs,
      take: async (facts, delivery) => handlerOf.get(delivery.subject)?.handle(facts as never, delivery),
    });
  }

  #handlers(): EventHandler[] {
    const scanner = new MetadataScanner();
    return this.discovery.getProviders().flatMap(({ instance }) => {
      if (typeof instance !== 'object' || instance === null) return [];
      const object = instance as Record<string, EventHandler['handle']>;
      return scanner.getAllMethodNames(Object.getPrototypeOf(object) as object).flatMap((name) => {
        const method = object[name];
        if (!method) return [];
        const events = this.reflector.get<Event[] | undefined>(listensTo, method) ?? [];
        return events.map((event) => ({ event, handle: method.bind(object) }));
      });
    });
  }
}
