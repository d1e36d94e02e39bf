import { contract, event } from '@stoa/contracts';
import { nanos } from '@nats-io/transport-node';
import { type NatsUser, waitFor } from '@stoa/system';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { EventConsumer } from '../src/index.ts';
import { EventBus } from './event-bus.ts';

const facts = z.object({ text: z.string(), uid: z.string().optional() });
const news = contract('offerings', { first: event(facts), second: event(facts) });

let bus: EventBus;

beforeAll(async () => {
  bus = await EventBus.open('offerings');
});
afterAll(() => bus.close());

type Events = (typeof news.first)[];

async function follow(user: NatsUser, events: Events) {
  const seen: string[] = [];
  const handlers = events.map((followed) => ({
    event: followed,
    handle: async ({ text }: { text: string }) => void seen.push(text),
  }));
  const consumer = new EventConsumer(await bus.connect(user), handlers, {
    service: user,
    stream: 'EVENTS',
    maxAttempts: 3,
    maxPutBacks: 3,
  });
  consumer.start();
  return { consumer, seen };
}

test('two handlers of one event are refused', async () => {
  await expect(follow('creators', [news.first, news.first])).rejects.toThrow(
    'events.offerings.first has two handlers.',
  );
});

test('a release that subscribes to more events gets them all', async () => {
  await bus.setUp('creators', [news.first]);
  const before = await follow('creators', [news.first]);
  await bus.publish(news.first, 'one');
  await waitFor(() => expect(before.seen).toEqual(['one']), { timeout: 10_000 });
  await before.consumer.stop();
  await bus.setUp('creators', [news.first, news.second]);
  const after = await follow('creators', [news.first, news.second]);
  await bus.publish(news.first, 'two');
  // The consumer does not get an event older than its update, so the test publishes until one arrives.
  await waitFor(
    async () => {
      await bus.publish(news.second, `more ${crypto.randomUUID()}`);
      expect(after.seen).toContainEqual(expect.stringMatching('more'));
      expect(after.seen).toContain('two');
    },
    { timeout: 15_000 },
  );
  await after.consumer.stop();
});

test('a replica of the previous release naks events it does not know, for a newer one', async () => {
  await bus.setUp('identity', [news.first]);
  const before = await follow('identity', [news.first]);
  await bus.publish(news.first, 'the previous one runs');
  await waitFor(() => expect(before.seen).toContain('the previous one runs'), { timeout: 10_000 });
  const provision = await bus.connect('provision');
  const delivered = async () => {
    const info = await provision.request('$JS.API.CONSUMER.INFO.EVENTS.identity', '');
    return info.json<{ delivered: { consumer_seq: number } }>().delivered.consumer_seq;
  };
  // The rollout begins: the consumer follows both events now, and for a while only the previous replica runs.
  await bus.setUp('identity', [news.first, news.second]);
  const earlier = await delivered();
  await bus.publish(news.second, 'only the new one knows');
  await waitFor(async () => expect(await delivered()).toBeGreaterThan(earlier), { timeout: 10_000 });
  const second = await follow('identity', [news.first, news.second]);
  await waitFor(() => expect(second.seen).toContain('only the new one knows'), { timeout: 15_000 });
  await Promise.all([before.consumer.stop(), second.consumer.stop()]);
});

test('no event is lost when the previous release starts again beside the new one [messaging-6]', async () => {
  await bus.setUp('contact', [news.first]);
  const first = await follow('contact', [news.first]);
  await bus.setUp('contact', [news.first, news.second]);
  const newer = await follow('contact', [news.first, news.second]);
  await first.consumer.stop();
  for (const round of ['once', 'twice']) {
    await bus.setUp('contact', [news.first]);
    const again = await follow('contact', [news.first]);
    await bus.publish(news.second, `second, ${round}`);
    await bus.publish(news.first, `first, ${round}`);
    await waitFor(
      () => {
        expect(newer.seen).toContain(`second, ${round}`);
        expect([...newer.seen, ...again.seen]).toContain(`first, ${round}`);
      },
      { timeout: 20_000 },
    );
    await again.consumer.stop();
  }
  await newer.consumer.stop();
});

const filterOf = async (user: NatsUser) => {
  const { manager } = bus;
  return (await manager.consumers.info('EVENTS', user)).config.filter_subjects?.toSorted();
};

test('events of the previous release stay followed for one more release', async () => {
  const third = event(facts);
  const { other } = contract('offerings', { other: third });
  await bus.setUp('offerings', [news.first]);
  await bus.setUp('offerings', [news.second]);
  await bus.setUp('offerings', [news.second]);
  expect(await filterOf('offerings')).toEqual([news.first.subject, news.second.subject]);
  await bus.setUp('offerings', [other]);
  expect(await filterOf('offerings')).toEqual([other.subject, news.second.subject]);
});

test('an event that the new release no longer follows does not become a dead letter', async () => {
  await bus.setUp('creators', [news.first, news.second]);
  await bus.setUp('creators', [news.first]);
  const { consumer, seen } = await follow('creators', [news.first]);
  await bus.publish(news.second, 'followed no more');
  await bus.publish(news.first, 'followed still');
  const { manager } = bus;
  await waitFor(
    async () => {
      const { num_ack_pending, num_pending } = await manager.consumers.info('EVENTS', 'creators');
      expect({ num_ack_pending, num_pending }).toEqual({ num_ack_pending: 0, num_pending: 0 });
      expect(seen).toContain('followed still');
    },
    { timeout: 45_000 },
  );
  const { state } = await manager.streams.info('DEAD', { subjects_filter: 'dead.creators.>' });
  expect(state.subjects ?? {}).toEqual({});
  await consumer.stop();
});

test('a deleted consumer is resumed once set-up has recreated it', async () => {
  await bus.setUp('media', [news.first]);
  const { consumer, seen } = await follow('media', [news.first]);
  await bus.publish(news.first, 'before');
  await waitFor(() => expect(seen).toContain('before'), { timeout: 10_000 });
  const provision = await bus.connect('provision');
  await provision.request('$JS.API.CONSUMER.DELETE.EVENTS.media', '');
  await bus.publish(news.first, 'after');
  await bus.setUp('media', [news.first]);
  await waitFor(() => expect(seen).toContain('after'), { timeout: 15_000 });
  await consumer.stop();
});

test('a slow event delays only later events of its account', async () => {
  await bus.setUp('media', [news.second]);
  const slow = Promise.withResolvers<void>();
  const seen: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    if (text === 'slow') await slow.promise;
    seen.push(text);
  };
  const consumer = new EventConsumer(await bus.connect('media'), [{ event: news.second, handle }], {
    service: 'media',
    stream: 'EVENTS',
    maxAttempts: 3,
  });
  consumer.start();
  await bus.publish(news.second, 'slow', 'ada');
  await bus.publish(news.second, 'after the slow one', 'ada');
  const others = Array.from({ length: 100 }, (_, number) => `other ${number}`);
  for (const [number, text] of others.entries()) await bus.publish(news.second, text, `${number % 3}`);
  await waitFor(() => expect(seen).toHaveLength(100), { timeout: 15_000 });
  expect(seen).toEqual(expect.arrayContaining(others));
  for (const account of [0, 1, 2])
    expect(seen.filter((_, at) => others.indexOf(seen[at]!) % 3 === account)).toEqual(
      others.filter((_, number) => number % 3 === account),
    );
  slow.resolve();
  await waitFor(() => expect(seen.slice(100)).toEqual(['slow', 'after the slow one']));
  await consumer.stop();
});

test('an event handled for longer than `ack_wait` is delivered once, and so is its batch', async () => {
  await bus.setUp('media', [news.second]);
  const ackWaitMs = 4000;
  await bus.manager.consumers.update('EVENTS', 'media', { ack_wait: nanos(ackWaitMs) });
  const before = await bus.manager.consumers.info('EVENTS', 'media');
  const texts = ['held', ...Array.from({ length: 5 }, (_, number) => `behind it ${number}`)];
  const others = Array.from({ length: 20 }, (_, number) => `of another account ${number}`);
  for (const text of texts) await bus.publish(news.second, text, 'grace');
  for (const text of others) await bus.publish(news.second, text, 'others');
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ended: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    begun.push(text);
    if (text === 'held') await held.promise;
    ended.push(text);
  };
  const connections = [await bus.connect('media'), await bus.connect('media')];
  const options = { service: 'media', stream: 'EVENTS', maxAttempts: 3 } as const;
  // Starts a second replica. The server would deliver events to it that it considers lost.
  const replicas = connections.map(
    (each) => new EventConsumer(each, [{ event: news.second, handle }], options),
  );
  replicas[0]!.start();
  await waitFor(() => expect(ended).toEqual(others));
  replicas[1]!.start();
  const since = performance.now();
  await waitFor(() => expect(performance.now() - since).toBeGreaterThan(1.5 * ackWaitMs));
  held.resolve();
  await waitFor(() => expect(ended).toEqual([...others, ...texts]));
  expect(begun.toSorted()).toEqual([...others, ...texts].toSorted());
  await Promise.all(replicas.map((each) => each.stop()));
  const after = await bus.manager.consumers.info('EVENTS', 'media');
  expect(after.num_ack_pending).toBe(0);
  // No event was delivered twice.
  expect(after.delivered.consumer_seq - before.delivered.consumer_seq).toBe(texts.length + others.length);
});

test('events in flight at a lost replica reach another within 20 seconds', async () => {
  await bus.setUp('media', [news.first]);
  const lost = await bus.connect('media');
  const begun: string[] = [];
  const handle = ({ text }: { text: string }) => {
    begun.push(text);
    return new Promise<void>(() => undefined);
  };
  const options = { service: 'media', stream: 'EVENTS', maxAttempts: 3 } as const;
  const dying = new EventConsumer(lost, [{ event: news.first, handle }], options);
  dying.start();
  await bus.publish(news.first, 'in flight');
  await waitFor(() => expect(begun).toContain('in flight'), { timeout: 10_000 });
  void dying.stop();
  await lost.close();
  const { consumer, seen } = await follow('media', [news.first]);
  await waitFor(() => expect(seen).toContain('in flight'), { timeout: 20_000 });
  await consumer.stop();
});

test('hanging handlers lose their events after a while, and block no others', async () => {
  await bus.setUp('media', [news.first]);
  const tries: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    const isFirst = !tries.includes(text);
    tries.push(text);
    if (text.startsWith('hung') && isFirst) await new Promise(() => undefined);
  };
  const consumer = new EventConsumer(await bus.connect('media'), [{ event: news.first, handle }], {
    service: 'media',
    stream: 'EVENTS',
    maxAttempts: 3,
    handledWithinMs: 500,
  });
  consumer.start();
  const hung = Array.from({ length: 8 }, (_, number) => `hung ${number}`);
  for (const text of hung) await bus.publish(news.first, text);
  await waitFor(() => expect(tries).toHaveLength(8), { timeout: 15_000 });
  await bus.publish(news.first, 'after them');
  await waitFor(() => expect(tries).toContain('after them'), { timeout: 5000 });
  await waitFor(() => expect(tries.toSorted()).toEqual([...hung, ...hung, 'after them'].toSorted()), {
    timeout: 15_000,
  });
  await consumer.stop();
});

test('a stop does not wait for a hanging handler, and another replica gets its event', async () => {
  await bus.setUp('identity', [news.first]);
  const begun: string[] = [];
  const handle = ({ text }: { text: string }) => {
    // The consumer is new, and also gets the events of other tests.
    if (!text.startsWith('it ')) return Promise.resolve();
    begun.push(text);
    return new Promise<void>(() => undefined);
  };
  const leaving = new EventConsumer(await bus.connect('identity'), [{ event: news.first, handle }], {
    service: 'identity',
    stream: 'EVENTS',
    maxAttempts: 3,
    stopMs: 300,
  });
  leaving.start();
  for (const text of ['it hangs', 'it waits']) await bus.publish(news.first, text, 'of one account');
  await waitFor(() => expect(begun).toEqual(['it hangs']), { timeout: 10_000 });
  await leaving.stop();
  const { consumer, seen } = await follow('identity', [news.first]);
  // The replica returns its event sooner than the 30 s after which the server would deliver it to another
  // replica.
  await waitFor(() => expect(seen.toSorted()).toEqual(expect.arrayContaining(['it hangs', 'it waits'])), {
    timeout: 20_000,
  });
  expect(begun).toEqual(['it hangs']);
  await consumer.stop();
});

test.each([0, 3, 10, 30, 100, 300])(
  'stop resolves, called %i turns of the event loop after start',
  async (turns) => {
    const { consumer } = await follow('contact', [news.first]);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    await expect(consumer.stop()).resolves.toBeUndefined();
  },
);
