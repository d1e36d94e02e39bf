import { contract, event } from '@stoa/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type NatsUser, waitFor } from '@stoa/system';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { EventConsumer, type EventConsumerOptions, UnprocessableEvent } from '../src/index.ts';
import { EventBus } from './event-bus.ts';

const facts = z.object({ text: z.string() });
const news = contract('offerings', { first: event(facts), second: event(facts) });

let bus: EventBus;
let manager: JetStreamManager;

beforeAll(async () => {
  bus = await EventBus.open('offerings');
  ({ manager } = bus);
});
afterAll(() => bus.close());
beforeEach(async () => void (await manager.streams.purge('EVENTS')));

async function publishAll(event: { subject: string }, name: string, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, number) => `${name} ${number}`);
  await Promise.all(texts.map((text) => bus.publish(event, text)));
  return texts;
}

type Handle = (facts: { text: string }) => Promise<void>;

async function follow(
  service: NatsUser,
  handlers: Partial<Record<'first' | 'second', Handle>>,
  options: Partial<EventConsumerOptions> = {},
) {
  const handled = Object.entries(handlers).map(([name, handle]) => ({
    event: news[name as keyof typeof handlers],
    handle,
  }));
  const settings = { service, stream: 'EVENTS', maxAttempts: 3, ...options } as const;
  const consumer = new EventConsumer(await bus.connect(service), handled, settings);
  consumer.start();
  return consumer;
}

const setUp = (service: NatsUser) => bus.setUp(service, [news.first, news.second]);

async function deadOf(service: NatsUser): Promise<Record<string, number>> {
  const { state } = await manager.streams.info('DEAD', { subjects_filter: `dead.${service}.>` });
  return state.subjects ?? {};
}

test('a replica pulls at most 64 events, and a stop immediately returns those not begun', async () => {
  await setUp('media');
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    begun.push(text);
    await end.promise;
  };
  const stopping = await follow('media', { first: handle });
  const all = await publishAll(news.first, 'pulled', 100);
  await waitFor(
    async () => {
      const { num_ack_pending, num_pending } = await manager.consumers.info('EVENTS', 'media');
      expect({ num_ack_pending, num_pending }).toEqual({ num_ack_pending: 64, num_pending: 36 });
      expect(begun).toHaveLength(8);
    },
    { timeout: 15_000 },
  );
  const stopped = stopping.stop();
  const seen: string[] = [];
  const other = await follow('media', { first: async ({ text }) => void seen.push(text) });
  const others = all.filter((text) => !begun.includes(text));
  // The replica returns its events sooner than the 15 s after which the server would deliver them to another
  // replica.
  await waitFor(() => expect(seen.toSorted()).toEqual(others.toSorted()), { timeout: 10_000 });
  expect(begun).toHaveLength(8);
  end.resolve();
  await stopped;
  await other.stop();
  expect((await manager.consumers.info('EVENTS', 'media')).num_ack_pending).toBe(0);
}, 60_000);

test('replicas that stop and start while events arrive leave none undelivered', async () => {
  await setUp('identity');
  const seen: string[] = [];
  const start = () => follow('identity', { first: async ({ text }) => void seen.push(text) });
  let replica = await start();
  let published: string[] = [];
  for (const round of ['a', 'b', 'c', 'd']) {
    const publishing = publishAll(news.first, `restart ${round}`, 100);
    await waitFor(() => expect(seen.length).toBeGreaterThan(published.length), { timeout: 10_000 });
    await replica.stop();
    published = [...published, ...(await publishing)];
    replica = await start();
    // The replica returns its events sooner than the 15 s after which the server would deliver them to
    // another replica.
    await waitFor(() => expect(seen.toSorted()).toEqual(published.toSorted()), { timeout: 10_000 });
  }
  await replica.stop();
}, 90_000);

test('events that always fail block no others, and end as dead letters', async () => {
  await setUp('contact');
  // Fewer than the failing events, as product consumers have room for fewer than may ever fail.
  await manager.consumers.update('EVENTS', 'contact', { max_ack_pending: 100 });
  const seen: string[] = [];
  const consumer = await follow(
    'contact',
    {
      first: () => Promise.reject(new Error('It always fails.')),
      second: async ({ text }) => void seen.push(text),
    },
    { maxAttempts: 6 },
  );
  await publishAll(news.first, 'failing', 150);
  await bus.publish(news.second, 'beside them');
  // Passes before the first event uses up its tries, which takes 23 seconds.
  await waitFor(() => expect(seen).toEqual(['beside them']), { timeout: 20_000 });
  await waitFor(
    async () => expect(await deadOf('contact')).toEqual({ [`dead.contact.${news.first.subject}`]: 150 }),
    { timeout: 60_000 },
  );
  await consumer.stop();
}, 90_000);

test('an outage does not count as a try, and a stop during it returns the event', async () => {
  await setUp('creators');
  let isAway = true;
  const tries: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    tries.push(text);
    if (isAway) throw new Error('The database is away.');
  };
  const options = { maxAttempts: 2, isOutage: async () => isAway };
  const first = await follow('creators', { first: handle }, options);
  await bus.publish(news.first, 'during the outage');
  // The handler gets more tries than `maxAttempts`.
  await waitFor(() => expect(tries.length).toBeGreaterThan(3), { timeout: 15_000 });
  const { delivered } = await manager.consumers.info('EVENTS', 'creators');
  expect(delivered.consumer_seq).toBe(1);
  await first.stop();
  isAway = false;
  tries.length = 0;
  const second = await follow('creators', { first: handle }, options);
  await waitFor(() => expect(tries).toEqual(['during the outage']), { timeout: 10_000 });
  expect(await deadOf('creators')).toEqual({});
  await second.stop();
}, 60_000);

test('unprocessable events are given up without retries, in a few log lines', async () => {
  await setUp('media');
  const lines: unknown[] = [];
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void lines.push(line));
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(line));
  const tries = new Map<string, number>();
  const note = (text: string) => void tries.set(text, (tries.get(text) ?? 0) + 1);
  const consumer = await follow(
    'media',
    {
      first: async ({ text }) => {
        note(text);
        throw new UnprocessableEvent('Never.', { facts: { text: `of ${text}` } });
      },
      second: async ({ text }) => {
        note(text);
        throw new Error('By its values.');
      },
    },
    { maxAttempts: 10, isUnprocessable: (failure) => String(failure).includes('By its values') },
  );
  await publishAll(news.first, 'unprocessable', 150);
  await publishAll(news.second, 'of invalid values', 1);
  await waitFor(
    async () =>
      expect(await deadOf('media')).toEqual({
        [`dead.media.${news.first.subject}`]: 150,
        [`dead.media.${news.second.subject}`]: 1,
      }),
    { timeout: 20_000 },
  );
  await consumer.stop();
  error.mockRestore();
  warn.mockRestore();
  expect([tries.get('unprocessable 0'), tries.get('of invalid values 0')]).toEqual([1, 2]);
  // One line in full and 19 in brief per minute, and as many for dead letters.
  expect(lines.length).toBeLessThan(50);
  const letter = await manager.streams.getMessage('DEAD', {
    last_by_subj: `dead.media.${news.first.subject}`,
  });
  expect(letter?.json()).toMatchObject({ payload: expect.stringContaining('of unprocessable') });
}, 60_000);

test('dead letters of one kind displace none of another', async () => {
  const { config } = await manager.streams.info('DEAD');
  // Characters of a letter, doubled for the escaping of its payload in JSON.
  const largest = 2 * (32_768 + 1000 + 1000);
  expect(config.max_msgs_per_subject * largest).toBeLessThan(config.max_bytes / 3);
});
