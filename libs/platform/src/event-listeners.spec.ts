import { creators } from '@stoa/contracts';
import { type Bus, Listens } from '@stoa/messaging';
import { type DiscoveryService, Reflector } from '@nestjs/core';
import { expect, test } from '@jest/globals';
import type { ProcessConfig } from './environment.ts';
import { EventListeners } from './event-listeners.ts';

class One {
  @Listens(creators.removed)
  async forget(): Promise<void> {}
}
class Another {
  @Listens(creators.changed, creators.removed)
  async forget(): Promise<void> {}
}

test('two listeners of one event are refused at start, even while NATS is away', () => {
  const startWith = (...instances: object[]) => {
    const discovery = { getProviders: () => instances.map((instance) => ({ instance })) };
    const bus = { opened: new Promise(() => undefined) };
    return new EventListeners(
      bus as unknown as Bus,
      { SERVICE_NAME: 'media' } as ProcessConfig,
      discovery as unknown as DiscoveryService,
      new Reflector(),
      'durable',
    ).start();
  };
  expect(() => startWith(new One())).not.toThrow();
  expect(() => startWith(new Another())).not.toThrow();
  expect(() => startWith(new One(), new Another())).toThrow(/two handlers/);
});
