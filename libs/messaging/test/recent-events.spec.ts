import { contract, event } from '@stoa/contracts';
import { type NatsUser, startNats } from '@stoa/stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { connectBus, EventPublisher, RecentEvents } from '../src/index.ts';

const facts = z.object({ text: z.string() });
const news = contract('identity', { first: event(facts), second: event(facts) });

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
  publisher = new EventPublisher(await connect('identity'));
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await nats.stop();
});

const publish = ({ subject }: { subject: string }, text: string) =>
  publisher.publish({ id: text, subject, payload: JSON.stringify({ text }), headers: {} });

async function follow(sinceMs = 60_000) {
  const seen: string[] = [];
  const take = ({ text }: { text: string }) => void seen.push(text);
  const recent = new RecentEvents(await connect('gateway'), {
    event: news.first,
    service: 'gateway',
    sinceMs,
    take,
  });
  recent.start();
  return { recent, seen };
}

test('who starts later knows what came before, and then what comes, of its own event only', async () => {
  await publish(news.first, 'before');
  await publish(news.second, 'something else');
  const { recent, seen } = await follow();
  expect(await recent.caughtUp(10_000)).toBe(true);
  expect(seen).toEqual(['before']);
  await publish(news.first, 'after');
  await vi.waitFor(() => expect(seen).toEqual(['before', 'after']), 5000);
  expect(recent.blindMs).toBe(0);
  await recent.stop();
});

test('with nothing to read again it is up to date at once', async () => {
  const { recent, seen } = await follow(0);
  expect(await recent.caughtUp(10_000)).toBe(true);
  expect(seen).toEqual([]);
  await recent.stop();
});

test('an event that cannot be read keeps no other away', async () => {
  const { recent, seen } = await follow();
  await recent.caughtUp(10_000);
  await publisher.publish({ id: 'broken', subject: news.first.subject, payload: 'nonsense', headers: {} });
  await publish(news.first, 'whole');
  await vi.waitFor(() => expect(seen).toContain('whole'), 5000);
  await recent.stop();
});

test('what is announced while its consumer is gone is read as soon as there is another', async () => {
  const { recent, seen } = await follow();
  await recent.caughtUp(10_000);
  const provision = await connect('provision');
  const list = await provision.request('$JS.API.CONSUMER.NAMES.EVENTS', '');
  const { consumers } = list.json<{ consumers: string[] }>();
  for (const name of consumers.filter((each) => each.startsWith('gateway-'))) {
    await provision.request(`$JS.API.CONSUMER.DELETE.EVENTS.${name}`, '');
  }
  await publish(news.first, 'in the gap');
  await vi.waitFor(() => expect(seen).toContain('in the gap'), 5000);
  await recent.stop();
});

test('it says for how long it has been blind', async () => {
  const { recent } = await follow();
  await recent.caughtUp(10_000);
  const gateway = connections.at(-1);
  await gateway?.close();
  await vi.waitFor(() => expect(recent.blindMs).toBeGreaterThan(0), 10_000);
  expect(await recent.caughtUp(1)).toBe(false);
  await recent.stop();
});
