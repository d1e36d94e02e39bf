import { contract, event } from '@stoa/contracts';
import { provisionStreams, waitFor } from '@stoa/system';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readStream, storedSubject } from '../src/streams.ts';
import { passwordChangesStream, RecentEvents } from '../src/index.ts';
import { EventBus } from './event-bus.ts';

const facts = z.object({ text: z.string() });
const news = contract('identity', { first: event(facts), second: event(facts), third: event(facts) });
const changes = contract('identity', { passwordChanged: event(facts) });

let bus: EventBus;

beforeAll(async () => {
  bus = await EventBus.open('identity');
});
afterAll(() => bus.close());

async function follow(sinceMs = 60_000) {
  const seen: string[] = [];
  const take = ({ text }: { text: string }) => void seen.push(text);
  const connection = await bus.connect('gateway');
  const recent = new RecentEvents(connection, {
    events: [news.first],
    service: 'gateway',
    sinceMs,
    take,
  });
  recent.start();
  return { connection, recent, seen };
}

test('replays earlier events of its subject, then follows new ones', async () => {
  await bus.publish(news.first, 'before');
  await bus.publish(news.second, 'something else');
  const { recent, seen } = await follow();
  expect(await recent.caughtUp(10_000)).toBe(true);
  expect(seen).toEqual(['before']);
  await bus.publish(news.first, 'after');
  await waitFor(() => expect(seen).toEqual(['before', 'after']), { timeout: 5000 });
  expect(recent.staleMs).toBe(0);
  await recent.stop();
});

test('is up to date immediately on an empty stream', async () => {
  const { recent, seen } = await follow(0);
  expect(await recent.caughtUp(10_000)).toBe(true);
  expect(seen).toEqual([]);
  await recent.stop();
});

test('an unreadable event does not block others', async () => {
  const { recent, seen } = await follow();
  await recent.caughtUp(10_000);
  await bus.publishRaw(news.first, 'broken', 'nonsense');
  await bus.publish(news.first, 'whole');
  await waitFor(() => expect(seen).toContain('whole'), { timeout: 5000 });
  await recent.stop();
});

test('reads more than one batch in order', async () => {
  const texts = Array.from({ length: 600 }, (_, n) => `many ${n}`);
  await Promise.all(texts.map((text) => bus.publish(news.first, text)));
  const { recent, seen } = await follow();
  expect(await recent.caughtUp(10_000)).toBe(true);
  expect(seen.filter((text) => text.startsWith('many')).toSorted()).toEqual(texts.toSorted());
  await recent.stop();
});

test('catches up after a disconnect', async () => {
  const { connection, recent, seen } = await follow();
  await recent.caughtUp(10_000);
  await connection.reconnect();
  await bus.publish(news.first, 'in the gap');
  await waitFor(() => expect(seen).toContain('in the gap'), { timeout: 10_000 });
  expect(await recent.caughtUp(10_000)).toBe(true);
  await recent.stop();
});

test('a caller that waits while NATS is away continues as soon as it is back', async () => {
  const { recent } = await follow();
  await recent.caughtUp(10_000);
  await bus.nats.stop();
  await waitFor(() => expect(recent.staleMs).toBeGreaterThan(0), { timeout: 10_000 });
  let isCaughtUp = false;
  const caughtUp = recent.caughtUp(60_000).then(() => (isCaughtUp = true));
  // Several tries to read fail during this time.
  await waitFor(() => expect(recent.staleMs).toBeGreaterThan(500), { timeout: 10_000 });
  await bus.nats.start();
  await waitFor(() => expect(isCaughtUp).toBe(true), { timeout: 20_000 });
  await caughtUp;
  await recent.stop();
  await bus.reconnected();
});

test('starts before its connection is open', async () => {
  const seen: string[] = [];
  const opened = Promise.withResolvers<Awaited<ReturnType<EventBus['connect']>>>();
  const options = {
    events: [news.first],
    service: 'gateway',
    sinceMs: 60_000,
    take: ({ text }: { text: string }) => void seen.push(text),
  };
  const recent = new RecentEvents(opened.promise, options);
  recent.start();
  await bus.publish(news.first, 'before it connected');
  expect(await recent.caughtUp(1)).toBe(false);
  opened.resolve(await bus.connect('gateway'));
  await waitFor(() => expect(seen).toContain('before it connected'), { timeout: 20_000 });
  await recent.stop();
});

test('follows several subjects and no other', async () => {
  const seen: string[] = [];
  const recent = new RecentEvents(await bus.connect('gateway'), {
    events: [news.first, news.third],
    service: 'gateway',
    sinceMs: 0,
    take: ({ text }, { subject }) => void seen.push(`${subject} ${text}`),
  });
  recent.start();
  await recent.caughtUp(10_000);
  await bus.publish(news.second, 'not followed');
  await bus.publish(news.third, 'c');
  await bus.publish(news.first, 'a');
  await waitFor(() => expect(seen).toEqual([`${news.third.subject} c`, `${news.first.subject} a`]), {
    timeout: 5000,
  });
  await recent.stop();
});

test('the edge may read password changes only', async () => {
  const seen: string[] = [];
  const follower = (
    options: { stream?: string; service: string },
    connection: Awaited<ReturnType<EventBus['connect']>>,
  ) =>
    new RecentEvents(connection, {
      ...options,
      events: [changes.passwordChanged],
      sinceMs: 60_000,
      take: ({ text }) => void seen.push(text),
    });
  const edge = await bus.connect('edge');
  const barred = follower({ service: 'edge' }, edge);
  barred.start();
  await bus.publish(changes.passwordChanged, 'changed');
  await bus.publish(news.first, 'not for edge');
  expect(await barred.caughtUp(1000)).toBe(false);
  await barred.stop();
  expect(seen).toEqual([]);
  const recent = follower({ service: 'edge', stream: passwordChangesStream }, edge);
  recent.start();
  await waitFor(() => expect(seen).toEqual(['changed']), { timeout: 10_000 });
  await bus.publish(changes.passwordChanged, 'again');
  await waitFor(() => expect(seen).toEqual(['changed', 'again']), { timeout: 10_000 });
  await recent.stop();
});

test('the server announces stored events without their content, to edge only for its streams', async () => {
  const noticesOf = async (user: 'gateway' | 'edge', stream: string, { subject }: { subject: string }) => {
    const connection = await bus.connect(user);
    const notices: { event: string | undefined; size: number }[] = [];
    connection.subscribe(storedSubject(stream, subject), {
      callback: (error, message) => {
        if (!error) notices.push({ event: message.headers?.get('Nats-Subject'), size: message.data.length });
      },
    });
    await connection.flush();
    return notices;
  };
  const [toGateway, toEdge, notToEdge] = [
    await noticesOf('gateway', 'EVENTS', changes.passwordChanged),
    await noticesOf('edge', passwordChangesStream, changes.passwordChanged),
    await noticesOf('edge', 'EVENTS', changes.passwordChanged),
  ];
  await bus.publish(news.second, 'another event');
  await bus.publish(changes.passwordChanged, 'notified of');
  const notice = { event: changes.passwordChanged.subject, size: 0 };
  await waitFor(() => expect([toGateway, toEdge]).toEqual([[notice], [notice]]), { timeout: 10_000 });
  expect(notToEdge).toEqual([]);
});

test("edge's copy of the stream gives no access to other streams", async () => {
  const { subject } = changes.passwordChanged;
  await bus.publish(changes.passwordChanged, 'copied');
  await bus.publish(news.second, 'of the whole');
  const edge = await bus.connect('edge');
  const from = { seq: 1 };
  const copied = async () =>
    (await readStream(edge, passwordChangesStream, { from, subject, batch: 256 })).map((message) =>
      message.string(),
    );
  await waitFor(async () => expect(await copied()).toContain('{"text":"copied"}'), { timeout: 20_000 });
  const gateway = await bus.connect('gateway');
  for (let read = 0; read < 20; read += 1) {
    const whole = await readStream(gateway, 'EVENTS', { from, subject: 'events.>', batch: 2000 });
    expect(whole.map((message) => message.string())).toContain('{"text":"of the whole"}');
  }
});

test('reports how long it has been stale', async () => {
  const { connection, recent } = await follow();
  await recent.caughtUp(10_000);
  await connection.close();
  await waitFor(() => expect(recent.staleMs).toBeGreaterThan(0), { timeout: 10_000 });
  expect(await recent.caughtUp(1)).toBe(false);
  await recent.stop();
});

test('a recreated stream is read from its beginning', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'stoa-nats-'));
  const own = await EventBus.open('identity', { dir });
  const gateway = await own.connect('gateway');
  const announce = (text: string) => own.publish(news.first, text);
  const seen: string[] = [];
  const recreated = Promise.withResolvers<void>();
  const recent = new RecentEvents(gateway, {
    events: [news.first],
    service: 'gateway',
    sinceMs: 60_000,
    // This follower keeps handling the last event of the old stream, so it does not notice that the stream is
    // gone.
    take: async ({ text }) => {
      seen.push(text);
      if (text === 'old 3') await recreated.promise;
    },
  });
  for (const text of ['old 1', 'old 2', 'old 3']) await announce(text);
  recent.start();
  await waitFor(() => expect(seen).toEqual(['old 1', 'old 2', 'old 3']), { timeout: 20_000 });
  await own.nats.stop();
  await rm(join(dir, 'data/nats'), { recursive: true });
  await own.nats.start();
  await provisionStreams(own.nats.url, own.nats.credentials('provision'));
  await own.reconnected();
  await announce('new 1');
  recreated.resolve();
  await waitFor(() => expect(seen).toContain('new 1'), { timeout: 20_000 });
  await recent.stop();
  await own.close();
  await rm(dir, { recursive: true, force: true });
});
