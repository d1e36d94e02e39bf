import { contract, event } from '@stoa/contracts';
import { provisionStreams, waitFor } from '@stoa/system';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readStream } from '../src/streams.ts';
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

test('is up to date at once on an empty stream', async () => {
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

test('who waits while NATS is away is told as soon as it is back', async () => {
  const { recent } = await follow();
  await recent.caughtUp(10_000);
  await bus.nats.leave();
  await waitFor(() => expect(recent.staleMs).toBeGreaterThan(0), { timeout: 10_000 });
  let isTold = false;
  const told = recent.caughtUp(60_000).then(() => (isTold = true));
  // Several tries fail meanwhile.
  await waitFor(() => expect(recent.staleMs).toBeGreaterThan(500), { timeout: 10_000 });
  await bus.nats.comeBack();
  await waitFor(() => expect(isTold).toBe(true), { timeout: 20_000 });
  await told;
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

test('edge may read password changes only', async () => {
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

test("edge's copy of the stream serves no other stream, also after an upgrade from a mirror", async () => {
  const { manager } = bus;
  await manager.streams.delete(passwordChangesStream);
  const { subject } = changes.passwordChanged;
  const mirror = { name: 'EVENTS', filter_subject: subject };
  await manager.streams.add({ name: passwordChangesStream, mirror, allow_direct: true });
  await provisionStreams(bus.nats.url, bus.nats.credentials('provision'));
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
  const anew = Promise.withResolvers<void>();
  const recent = new RecentEvents(gateway, {
    events: [news.first],
    service: 'gateway',
    sinceMs: 60_000,
    // It has the last of the old stream in hand all the while, and so sees nothing of the loss.
    take: async ({ text }) => {
      seen.push(text);
      if (text === 'old 3') await anew.promise;
    },
  });
  for (const text of ['old 1', 'old 2', 'old 3']) await announce(text);
  recent.start();
  await waitFor(() => expect(seen).toEqual(['old 1', 'old 2', 'old 3']), { timeout: 20_000 });
  await own.nats.leave();
  await rm(join(dir, 'data/nats'), { recursive: true });
  await own.nats.comeBack();
  await provisionStreams(own.nats.url, own.nats.credentials('provision'));
  await own.reconnected();
  await announce('new 1');
  anew.resolve();
  await waitFor(() => expect(seen).toContain('new 1'), { timeout: 20_000 });
  await recent.stop();
  await own.close();
  await rm(dir, { recursive: true, force: true });
});
