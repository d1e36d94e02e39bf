import type { Event } from '@stoa/contracts';
import { Bus, EventConsumer, type EventConsumerOptions, type EventHandler, listensTo } from '@stoa/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ProcessConfig } from './environment.ts';

export const eventMode = Symbol('eventMode');

/** Finds every method marked with @Listens and feeds it. */
@Injectable()
export class EventListeners {
  #consumer: EventConsumer | undefined;

  constructor(
    @Inject(Bus) private readonly bus: Bus,
    @Inject(ProcessConfig) private readonly config: ProcessConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(eventMode) private readonly mode: EventConsumerOptions['mode'],
  ) {}

  start(): void {
    this.#consumer = new EventConsumer(this.bus.connection, this.#handlers(), {
      service: this.config.NATS_USER,
      mode: this.mode,
      maxAttempts: this.config.EVENT_MAX_ATTEMPTS,
    });
    this.#consumer.start();
  }

  async stop(): Promise<void> {
    await this.#consumer?.stop();
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
