import { contract, event } from '@stoa/contracts';
import { startNats, waitFor } from '@stoa/system';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { agree, connectBus, EventBuffer } from '../src/index.ts';

const counted = contract('gateway', {
  counted: event(z.object({ items: z.array(z.string()) }), 'VISITS'),
}).counted;

type Connection = Awaited<ReturnType<typeof connectBus>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let gateway: Connection;
let provision: Connection;

beforeAll(async () => {
  nats = await startNats();
  const connect = (user: 'gateway' | 'provision') =>
    connectBus({ url: nats.url, name: 'test', user, password: nats.credentials(user).pass });
  [gateway, provision] = await Promise.all([connect('gateway'), connect('provision')]);
});
afterAll(async () => {
  await Promise.all([gateway.close(), provision.close()]);
  await nats.close();
});

const bufferOf = (
  connection: Promise<Connection>,
  { batch = 100, capacity = 1000, patienceMs = 10_000 } = {},
) =>
  new EventBuffer<typeof counted, string>(connection, {
    event: counted,
    facts: (items) => ({ items: [...items] }),
    batch,
    capacity,
    patienceMs,
  });

/** Deletes all messages of the stream and returns the items of each. */
async function taken(): Promise<string[][]> {
  const { streams } = await jetstreamManager(provision);
  const { first_seq: first, last_seq: last } = (await streams.info('VISITS')).state;
  const found: string[][] = [];
  for (let seq = Math.max(1, first); seq <= last; seq += 1) {
    const message = await streams.getMessage('VISITS', { seq });
    if (message) found.push(message.json<{ items: string[] }>().items);
    if (message) await streams.deleteMessage('VISITS', seq);
  }
  return found;
}

test('items added together are stored in one message, and each call reports it', async () => {
  const buffer = bufferOf(Promise.resolve(gateway), { batch: 3 });
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((item) => buffer.add(item)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(await taken()).toEqual([['a', 'b', 'c'], ['d']]);
});

test('items added while NATS is away are kept, and stored once when it is back', async () => {
  const buffer = bufferOf(Promise.resolve(gateway), { patienceMs: 100 });
  await nats.stop();
  expect(await buffer.add('early')).toBe(false);
  expect(await buffer.add('late')).toBe(false);
  expect(buffer.kept.items).toBe(2);
  // The first item has waited for `patienceMs` of 100 ms, and shortly for the second item.
  expect(buffer.kept.ageSeconds).toBeGreaterThan(0.09);
  await nats.start();
  await waitFor(async () => expect(await buffer.add('then')).toBe(true), { timeout: 20_000 });
  const found = (await taken()).flat();
  expect(found.slice(0, 2)).toEqual(['early', 'late']);
  expect(new Set(found.slice(2))).toEqual(new Set(['then']));
  await waitFor(() => expect(buffer.kept).toEqual({ items: 0, ageSeconds: 0 }), { timeout: 5000 });
});

test('before NATS is there only the newest items are kept', async () => {
  const { promise, resolve } = Promise.withResolvers<Connection>();
  const buffer = bufferOf(promise, { capacity: 2, patienceMs: 100 });
  for (const item of ['a', 'b', 'c']) expect(await buffer.add(item)).toBe(false);
  resolve(gateway);
  await waitFor(async () => expect((await taken()).flat()).toEqual(['b', 'c']), { timeout: 5000 });
});

test('a full stream accepts no more events, and drops none', async () => {
  const { streams } = await jetstreamManager(provision);
  const { config } = await streams.info('VISITS');
  await streams.update('VISITS', { ...config, max_msgs: 1 });
  const buffer = bufferOf(Promise.resolve(gateway), { patienceMs: 100 });
  await gateway.request(counted.subject, '{"items":["first"]}', { timeout: 10_000 });
  expect(await buffer.add('second')).toBe(false);
  expect((await taken()).flat()).toEqual(['first']);
  await waitFor(async () => expect((await taken()).flat()).toEqual(['second']), { timeout: 5000 });
  await streams.update('VISITS', config);
});

test('kept items are stored at the end of the process', async () => {
  const buffer = bufferOf(Promise.resolve(gateway));
  void buffer.add('last');
  await buffer.stop();
  expect((await taken()).flat()).toEqual(['last']);
});

test('replicas agree on the value that was proposed first', async () => {
  const proposals = Array.from({ length: 5 }, (_, index) => `key ${index}`);
  const answers = await Promise.all(
    proposals.map((proposal) => agree(gateway, { app: 'gateway', about: '2026-01-01', proposal })),
  );
  expect(new Set(answers).size).toBe(1);
  expect(proposals).toContain(answers[0]);
  expect(await agree(gateway, { app: 'gateway', about: '2026-01-01', proposal: 'late' })).toBe(answers[0]);
});
