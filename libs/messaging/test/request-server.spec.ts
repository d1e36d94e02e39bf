import { contract, request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats, waitFor } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import {
  Bus,
  connectBus,
  Refusal,
  RequestServer,
  RequestSigner,
  RequestVerifier,
  withBudget,
} from '../src/index.ts';
import { header, toHeaders } from '../src/wire.ts';
import { freezableWire } from './freezable-wire.ts';

const Text = z.object({ text: z.string().min(1) });
// The subjects must be a real service's: nobody has rights to others.
const echo = contract('contact', {
  say: request({ input: Text, output: z.object({ text: z.string() }) }),
  read: request({
    repeatable: ({ text }) => text === 'read',
    input: Text,
    output: z.object({ text: z.string() }),
  }),
  check: request({ slow: true, input: Text, output: z.object({ text: z.string() }) }),
});

type Connection = Awaited<ReturnType<typeof connectBus>>;
const { signingKey, publicKeys } = makeRequestKeys();
const signer = new RequestSigner(signingKey);
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
const servers: { server: RequestServer; connection: Connection }[] = [];

const connect = (user: NatsUser, url = nats.url) =>
  connectBus({ url, name: 'test', user, password: nats.credentials(user).pass });

beforeAll(async () => {
  nats = await startNats();
  bus = new Bus(await connect('gateway'), signer);
});
afterEach(async () => {
  for (const { server, connection } of servers.splice(0)) {
    await server.close();
    await connection.close();
  }
});
afterAll(async () => {
  await bus.connection.close();
  await nats.stop();
});

/** One function for each subject: Nest notes on it what it handles. */
const handlerOf = (handler: (input: { text: string }) => Promise<unknown>) =>
  ((input: { text: string }) => handler(input)) as MessageHandler;

async function serve(
  handler: (input: { text: string }) => Promise<unknown>,
  { url, ...options }: { concurrency?: number; backlog?: number; url?: string } = {},
) {
  const connection = await connect('contact', url);
  const verifier = new RequestVerifier(publicKeys);
  const server = new RequestServer(connection, {
    queue: 'contact',
    verifier,
    concurrency: 4,
    backlog: 10,
    ...options,
  });
  for (const each of [echo.say, echo.read, echo.check])
    server.addHandler(each.subject, handlerOf(handler), false, { request: each });
  server.listen(() => undefined);
  await connection.flush();
  servers.push({ server, connection });
  return server;
}

const say = (text: string, timeoutMs = 5000) => bus.ask(echo.say, { text }, { timeoutMs });

test('an answer is stripped of undeclared fields', async () => {
  await serve(async ({ text }) => ({ text, secret: 'x' }));
  expect(await say('hello')).toEqual({ text: 'hello' });
});

test('a refusal is passed on, an unexpected error without its details', async () => {
  await serve(async ({ text }) => {
    throw text === 'refuse' ? new Refusal('conflict', 'Not twice.') : new Error('password=1234');
  });
  await expect(say('refuse')).rejects.toMatchObject({ code: 'conflict', message: 'Not twice.' });
  await expect(say('fail')).rejects.toMatchObject({ code: 'internal', message: 'Something went wrong.' });
});

test('invalid input never reaches the handler', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await serve(handler);
  await expect(say('')).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'text' }] });
  expect(handler).not.toHaveBeenCalled();
});

test("no responder is 'unavailable', no answer in time 'timeout'", async () => {
  await expect(say('anybody?')).rejects.toMatchObject({ code: 'unavailable' });
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  await serve(() => promise);
  await expect(say('slow', 200)).rejects.toMatchObject({ code: 'timeout' });
  resolve({ text: 'late' });
});

test('slow requests take no place from others', async () => {
  const gate = Promise.withResolvers<void>();
  await serve(
    async ({ text }) => {
      if (text === 'slow') await gate.promise;
      return { text };
    },
    { concurrency: 2, backlog: 1 },
  );
  const ask = () => bus.ask(echo.check, { text: 'slow' }).catch((error: Refusal) => error.code);
  const slow = [ask(), ask(), ask(), ask()];
  await expect(Promise.race(slow)).resolves.toBe('unavailable');
  await expect(say('hello')).resolves.toEqual({ text: 'hello' });
  gate.resolve();
  expect((await Promise.all(slow)).filter((answer) => answer === 'unavailable')).toHaveLength(1);
});

test('concurrency is limited, a few requests queue, the rest is refused', async () => {
  let atWork = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  await serve(
    async ({ text }) => {
      atWork += 1;
      most = Math.max(most, atWork);
      await gate.promise;
      atWork -= 1;
      return { text };
    },
    { concurrency: 2, backlog: 3 },
  );
  const refused: Refusal[] = [];
  const asked = Array.from({ length: 8 }, (_, index) => say(`request ${index}`, 20_000));
  for (const each of asked) each.catch((refusal: Refusal) => refused.push(refusal));
  // All three: a request that is still on its way when the gate opens finds room.
  await waitFor(() => expect(refused).toHaveLength(3));
  await waitFor(() => expect(atWork).toBe(2));
  gate.resolve();
  const results = await Promise.allSettled(asked);
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(refused.map(({ code }) => code)).toEqual(['unavailable', 'unavailable', 'unavailable']);
});

/** A server that works on one request at a time, and on `first` until the gate is opened. */
async function busyServer() {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  await serve(
    async ({ text }) => {
      begun.push(text);
      await gate.promise;
      return { text };
    },
    { concurrency: 1 },
  );
  const first = say('first');
  await waitFor(() => expect(begun).toEqual(['first']));
  return { gate, begun, first };
}

test('a request past its deadline is not started', async () => {
  const { gate, begun, first } = await busyServer();
  const deadline = Date.now() + 100;
  await expect(say('impatient', 100)).rejects.toMatchObject({ code: 'timeout' });
  // Timers may fire a millisecond before the clock agrees.
  await waitFor(() => expect(Date.now()).toBeGreaterThan(deadline + 5));
  gate.resolve();
  await first;
  expect(await say('next')).toEqual({ text: 'next' });
  expect(begun).toEqual(['first', 'next']);
});

test('shutdown answers requests in flight and takes no new ones', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const server = await serve(async ({ text }) => {
    begun.push(text);
    await gate.promise;
    return { text };
  });
  const inFlight = say('in flight');
  await waitFor(() => expect(begun).toEqual(['in flight']));
  const closed = server.close();
  gate.resolve();
  await closed;
  expect(await inFlight).toEqual({ text: 'in flight' });
  await expect(say('too late')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a request with a foreign signature never reaches the handler', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await serve(handler);
  const stranger = new Bus(bus.connection, new RequestSigner(makeRequestKeys().signingKey));
  await expect(stranger.ask(echo.say, { text: 'trust me' })).rejects.toMatchObject({ code: 'internal' });
  await expect(new Bus(bus.connection).ask(echo.say, { text: 'trust me' })).rejects.toThrow('no key');
  expect(handler).not.toHaveBeenCalled();
});

test('a service may not send requests as the gateway', async () => {
  await serve(async ({ text }) => ({ text }));
  const service = new Bus(await connect('offerings'), signer);
  await expect(service.ask(echo.say, { text: 'psst' }, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|timeout/),
  });
  await service.connection.close();
});

test("a request that queued past its deadline is answered 'timeout'", async () => {
  const { gate, begun, first } = await busyServer();
  const headers = toHeaders({ [header.budget]: '50' });
  // Asked by hand: the bus itself would not wait for the answer.
  const late = bus.connection.request(echo.say.subject, '{"text":"late"}', { headers, timeout: 10_000 });
  const until = performance.now() + 500;
  await waitFor(() => expect(performance.now()).toBeGreaterThan(until));
  gate.resolve();
  await first;
  expect((await late).headers?.get(header.refusal)).toBe('timeout');
  expect(begun).toEqual(['first']);
});

test('the calls of one request share its deadline', async () => {
  const asked: string[] = [];
  const gate = Promise.withResolvers<void>();
  await serve(async ({ text }) => {
    asked.push(text);
    if (text === 'slow') await gate.promise;
    return { text };
  });
  await withBudget(0, async () => {
    expect(await say('quick', 2000)).toEqual({ text: 'quick' });
    await expect(say('slow', 2000)).rejects.toMatchObject({ code: 'timeout' });
    await expect(say('never', 2000)).rejects.toMatchObject({ code: 'timeout' });
  });
  expect(asked).toEqual(['quick', 'slow']);
  gate.resolve();
});

test('a crashed service is noticed long before the deadline', async () => {
  let begun = 0;
  await serve(async () => {
    begun += 1;
    return new Promise(() => undefined);
  });
  const [dying] = servers.splice(0);
  const waiting = say('last words', 30_000);
  await waitFor(() => expect(begun).toBe(1));
  await dying!.connection.close();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
});

test('a read that NATS took with it is asked again once NATS is back, a write is given up', async () => {
  const begun: string[] = [];
  let wasAway = false;
  await serve(async ({ text }) => {
    begun.push(text);
    return wasAway ? { text } : new Promise(() => undefined);
  });
  const read = bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 });
  await waitFor(() => expect(begun).toContain('read'));
  const write = say('write', 30_000);
  write.catch(() => undefined);
  await waitFor(() => expect(begun).toContain('write'));
  await nats.leave();
  wasAway = true;
  await nats.comeBack();
  await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  expect(await read).toEqual({ text: 'read' });
  await servers.splice(0)[0]!.connection.close();
});

/** Two replicas, of which the first to be asked dies of it; resolves to what the other one was asked. */
async function serveTwoAndLoseOne() {
  const asked: string[] = [];
  let lost = false;
  const dieOrAnswer = (connection: () => Connection) => async (input: { text: string }) => {
    if (input.text === 'hello') return input;
    if (lost) asked.push(input.text);
    else {
      lost = true;
      await connection().close();
      await new Promise(() => undefined);
    }
    return input;
  };
  const running = [0, 1].map((replica) => dieOrAnswer(() => servers[replica]!.connection));
  for (const handler of running) await serve(handler);
  await meetReplicas();
  return asked;
}

/** A caller of its own that knows both replicas by the time that one of them is lost. */
async function meetReplicas() {
  await bus.connection.close();
  bus = new Bus(await connect('gateway'), signer);
  await say('hello');
  const answers = () => servers.map(({ connection }) => connection.stats().outMsgs);
  // One of them has answered the greeting, too.
  await waitFor(() =>
    expect(answers().reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1 + servers.length),
  );
}

/** A server that waits for its last answer would wait for ever. */
const forgetTheLost = () =>
  servers.splice(0, servers.length, ...servers.filter(({ connection }) => !connection.isClosed()));

test('retries a read once on another replica', async () => {
  const asked = await serveTwoAndLoseOne();
  expect(await bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).toEqual({ text: 'read' });
  expect(asked).toEqual(['read']);
  forgetTheLost();
});

test('retries a read until a replica answers that does not hang', async () => {
  const asked: string[] = [];
  await serve(async ({ text }) => {
    asked.push(text);
    // NATS may deal one try after the other to the replica that hangs.
    return asked.length < 4 ? new Promise(() => undefined) : { text };
  });
  expect(await bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).toEqual({ text: 'read' });
  expect(asked).toEqual(['read', 'read', 'read', 'read']);
  await servers.splice(0)[0]!.connection.close();
});

test('a write that died with one of two replicas is given up long before the deadline, and not retried', async () => {
  const asked = await serveTwoAndLoseOne();
  const since = performance.now();
  await expect(say('write', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  // Less than a busy machine makes of it, and half of what the deadline would.
  expect(performance.now() - since).toBeLessThan(15_000);
  expect(asked).toEqual([]);
  forgetTheLost();
});

test('a write in the hands of a slow replica is waited for, whatever died beside it', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work = async (input: { text: string }) => {
    if (input.text === 'hello') return input;
    begun.push(input.text);
    await gate.promise;
    return input;
  };
  await serve(work);
  await serve(work);
  await meetReplicas();
  await servers[0]!.connection.close();
  forgetTheLost();
  const answer = say('write', 30_000);
  const since = bus.connection.stats().outMsgs;
  // Several rounds of asking who has it.
  await waitFor(() => expect(bus.connection.stats().outMsgs - since).toBeGreaterThan(10), {
    timeout: 20_000,
  });
  gate.resolve();
  expect(await answer).toEqual({ text: 'write' });
  expect(begun).toEqual(['write']);
});

test('does not retry a request whose input is not idempotent', async () => {
  const asked = await serveTwoAndLoseOne();
  const other = bus.ask(echo.read, { text: 'other' }, { timeoutMs: 30_000 });
  await expect(other).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toEqual([]);
  forgetTheLost();
});

test('a circuit breaker stops requests to a hung service until it answers again', async () => {
  const wire = await freezableWire(nats.url);
  await serve(async ({ text }) => ({ text }), { url: wire.url });
  expect(await say('before')).toEqual({ text: 'before' });
  wire.freeze();
  await expect(say('hello?', 30_000)).rejects.toMatchObject({ code: 'unavailable' });
  const sent = bus.connection.stats().outMsgs;
  await expect(say('still there?', 30_000)).rejects.toMatchObject({ code: 'unavailable' });
  expect(bus.connection.stats().outMsgs - sent).toBeLessThanOrEqual(1);
  wire.thaw();
  await waitFor(async () => expect(await say('again')).toEqual({ text: 'again' }), { timeout: 20_000 });
  wire.close();
});
