import { contract, event } from '@stoa/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsUser, provisionConsumer, startNats, waitFor } from '@stoa/system';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { connectBus, EventConsumer, EventPublisher } from '../src/index.ts';

const facts = z.object({ text: z.string(), uid: z.string().optional() });
const news = contract('offerings', { first: event(facts), second: event(facts) });

let nats: Awaited<ReturnType<typeof startNats>>;
let publisher: EventPublisher;
const connections: Awaited<ReturnType<typeof connectBus>>[] = [];

async function connect(user: NatsUser) {
  const { pass } = nats.credentials(user);
  const connection = await connectBus({ url: nats.url, name: 'test', user, password: pass });
  connections.push(connection);
  return connection;
}

beforeAll(async () => {
  nats = await startNats();
  publisher = new EventPublisher(await connect('offerings'));
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await nats.stop();
});

const publish = (subject: string, text: string, uid?: string) =>
  publisher.publish({ id: text, subject, payload: JSON.stringify({ text, uid }), headers: {} });

type Events = (typeof news.first)[];

/** What set-up does for a release whose `user` follows `events`. */
async function setUp(user: NatsUser, events: Events) {
  const manager = await jetstreamManager(await connect('provision'));
  await provisionConsumer(
    manager,
    user,
    events.map(({ subject }) => subject),
  );
}

async function follow(user: NatsUser, events: Events) {
  const seen: string[] = [];
  const handlers = events.map((followed) => ({
    event: followed,
    handle: async ({ text }: { text: string }) => void seen.push(text),
  }));
  const consumer = new EventConsumer(await connect(user), handlers, {
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
  await setUp('creators', [news.first]);
  const before = await follow('creators', [news.first]);
  await publish(news.first.subject, 'one');
  await waitFor(() => expect(before.seen).toEqual(['one']), { timeout: 10_000 });
  await before.consumer.stop();
  await setUp('creators', [news.first, news.second]);
  const after = await follow('creators', [news.first, news.second]);
  await publish(news.first.subject, 'two');
  // What was announced before the consumer knew of it is not for it: announced until it arrives.
  await waitFor(
    async () => {
      await publish(news.second.subject, `more ${crypto.randomUUID()}`);
      expect(after.seen).toContainEqual(expect.stringMatching('more'));
      expect(after.seen).toContain('two');
    },
    { timeout: 15_000 },
  );
  await after.consumer.stop();
});

test('a replica of the previous release naks events it does not know, for a newer one', async () => {
  await setUp('identity', [news.first]);
  const before = await follow('identity', [news.first]);
  await publish(news.first.subject, 'the one before runs');
  await waitFor(() => expect(before.seen).toContain('the one before runs'), { timeout: 10_000 });
  const provision = await connect('provision');
  const delivered = async () => {
    const info = await provision.request('$JS.API.CONSUMER.INFO.EVENTS.identity', '');
    return info.json<{ delivered: { consumer_seq: number } }>().delivered.consumer_seq;
  };
  // The rollout begins: the consumer follows both events now, and for a while only the replica of before is there.
  await setUp('identity', [news.first, news.second]);
  const earlier = await delivered();
  await publish(news.second.subject, 'only the new one knows');
  await waitFor(async () => expect(await delivered()).toBeGreaterThan(earlier), { timeout: 10_000 });
  const second = await follow('identity', [news.first, news.second]);
  await waitFor(() => expect(second.seen).toContain('only the new one knows'), { timeout: 15_000 });
  await Promise.all([before.consumer.stop(), second.consumer.stop()]);
});

test('no event is lost when the previous release is set up and started again beside the new one', async () => {
  await setUp('contact', [news.first]);
  const first = await follow('contact', [news.first]);
  await setUp('contact', [news.first, news.second]);
  const newer = await follow('contact', [news.first, news.second]);
  await first.consumer.stop();
  for (const round of ['once', 'twice']) {
    await setUp('contact', [news.first]);
    const again = await follow('contact', [news.first]);
    await publish(news.second.subject, `second, ${round}`);
    await publish(news.first.subject, `first, ${round}`);
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
  const manager = await jetstreamManager(await connect('provision'));
  return (await manager.consumers.info('EVENTS', user)).config.filter_subjects?.toSorted();
};

test('what one release followed is kept for the next, and no longer', async () => {
  const third = event(facts);
  const { other } = contract('offerings', { other: third });
  await setUp('offerings', [news.first]);
  await setUp('offerings', [news.second]);
  await setUp('offerings', [news.second]);
  expect(await filterOf('offerings')).toEqual([news.first.subject, news.second.subject]);
  await setUp('offerings', [other]);
  expect(await filterOf('offerings')).toEqual([other.subject, news.second.subject]);
});

test('an event that the new release follows no more becomes no dead letter', async () => {
  await setUp('creators', [news.first, news.second]);
  await setUp('creators', [news.first]);
  const { consumer, seen } = await follow('creators', [news.first]);
  await publish(news.second.subject, 'followed no more');
  await publish(news.first.subject, 'followed still');
  const manager = await jetstreamManager(await connect('provision'));
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
  await setUp('media', [news.first]);
  const { consumer, seen } = await follow('media', [news.first]);
  await publish(news.first.subject, 'before');
  await waitFor(() => expect(seen).toContain('before'), { timeout: 10_000 });
  const provision = await connect('provision');
  await provision.request('$JS.API.CONSUMER.DELETE.EVENTS.media', '');
  await publish(news.first.subject, 'after');
  await setUp('media', [news.first]);
  await waitFor(() => expect(seen).toContain('after'), { timeout: 15_000 });
  await consumer.stop();
});

test('a slow event holds up later events of its account alone', async () => {
  await setUp('media', [news.second]);
  const slow = Promise.withResolvers<void>();
  const seen: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    if (text === 'slow') await slow.promise;
    seen.push(text);
  };
  const consumer = new EventConsumer(await connect('media'), [{ event: news.second, handle }], {
    service: 'media',
    stream: 'EVENTS',
    maxAttempts: 3,
  });
  consumer.start();
  await publish(news.second.subject, 'slow', 'ada');
  await publish(news.second.subject, 'after the slow one', 'ada');
  const others = Array.from({ length: 100 }, (_, number) => `other ${number}`);
  for (const [number, text] of others.entries()) await publish(news.second.subject, text, `${number % 3}`);
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

test('what a lost replica has in hand comes to another within 20 seconds', async () => {
  await setUp('media', [news.first]);
  const lost = await connect('media');
  const begun: string[] = [];
  const handle = ({ text }: { text: string }) => {
    begun.push(text);
    return new Promise<void>(() => undefined);
  };
  const options = { service: 'media', stream: 'EVENTS', maxAttempts: 3 } as const;
  const dying = new EventConsumer(lost, [{ event: news.first, handle }], options);
  dying.start();
  await publish(news.first.subject, 'in hand');
  await waitFor(() => expect(begun).toContain('in hand'), { timeout: 10_000 });
  void dying.stop();
  await lost.close();
  const { consumer, seen } = await follow('media', [news.first]);
  await waitFor(() => expect(seen).toContain('in hand'), { timeout: 20_000 });
  await consumer.stop();
});

test('handlers that hang lose their events after a while, and keep nothing from the others', async () => {
  await setUp('media', [news.first]);
  const tries: string[] = [];
  const handle = async ({ text }: { text: string }) => {
    const isFirst = !tries.includes(text);
    tries.push(text);
    if (text.startsWith('hung') && isFirst) await new Promise(() => undefined);
  };
  const consumer = new EventConsumer(await connect('media'), [{ event: news.first, handle }], {
    service: 'media',
    stream: 'EVENTS',
    maxAttempts: 3,
    handledWithinMs: 500,
  });
  consumer.start();
  const hung = Array.from({ length: 8 }, (_, number) => `hung ${number}`);
  for (const text of hung) await publish(news.first.subject, text);
  await waitFor(() => expect(tries).toHaveLength(8), { timeout: 15_000 });
  await publish(news.first.subject, 'after them');
  await waitFor(() => expect(tries).toContain('after them'), { timeout: 5000 });
  await waitFor(() => expect(tries.toSorted()).toEqual([...hung, ...hung, 'after them'].toSorted()), {
    timeout: 15_000,
  });
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
