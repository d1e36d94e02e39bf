import { contract, request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats, waitFor } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { Bus, connectBus, Refusal, RequestServer, RequestSigner, RequestVerifier } from '../src/index.ts';

// The subjects must be a real service's: nobody has rights to others.
const echo = contract('contact', {
  say: request({ input: z.object({ text: z.string().min(1) }), output: z.object({ text: z.string() }) }),
});

type Connection = Awaited<ReturnType<typeof connectBus>>;
const { signingKey, publicKeys } = makeRequestKeys();
const signer = new RequestSigner(signingKey);
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
const servers: { server: RequestServer; connection: Connection }[] = [];

const connect = (user: NatsUser) =>
  connectBus({ url: nats.url, name: 'test', user, password: nats.credentials(user).pass });

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

async function serve(
  handler: (input: { text: string }) => Promise<unknown>,
  options: { concurrency?: number; backlog?: number } = {},
) {
  const connection = await connect('contact');
  const verifier = new RequestVerifier(publicKeys);
  const server = new RequestServer(connection, {
    queue: 'contact',
    verifier,
    concurrency: 4,
    backlog: 10,
    ...options,
  });
  server.addHandler(echo.say.subject, handler as MessageHandler, false, { request: echo.say });
  server.listen(() => undefined);
  await connection.flush();
  servers.push({ server, connection });
  return server;
}

const say = (text: string, timeoutMs = 5000) => bus.ask(echo.say, { text }, { timeoutMs });

test('an answer comes back without what the contract does not declare', async () => {
  await serve(async ({ text }) => ({ text, secret: 'x' }));
  expect(await say('hello')).toEqual({ text: 'hello' });
});

test('a refusal arrives as itself, an unexpected error without its details', async () => {
  await serve(async ({ text }) => {
    throw text === 'refuse' ? new Refusal('conflict', 'Not twice.') : new Error('password=1234');
  });
  await expect(say('refuse')).rejects.toMatchObject({ code: 'conflict', message: 'Not twice.' });
  await expect(say('fail')).rejects.toMatchObject({ code: 'internal', message: 'Something went wrong.' });
});

test('input that the contract refuses never reaches the handler', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await serve(handler);
  await expect(say('')).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'text' }] });
  expect(handler).not.toHaveBeenCalled();
});

test('nobody there is unavailable, no answer in time is timeout', async () => {
  await expect(say('anybody?')).rejects.toMatchObject({ code: 'unavailable' });
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  await serve(() => promise);
  await expect(say('slow', 200)).rejects.toMatchObject({ code: 'timeout' });
  resolve({ text: 'late' });
});

test('at most so many are worked on at once, a few wait, the rest is refused', async () => {
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
  const asked = Array.from({ length: 8 }, (_, index) => say(`request ${index}`));
  const settled = Promise.allSettled(asked);
  await Promise.any(
    asked.map((each) =>
      each.then(
        () => Promise.reject(new Error('answered')),
        () => 'refused',
      ),
    ),
  );
  await waitFor(() => expect(atWork).toBe(2));
  gate.resolve();
  const results = await settled;
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Refusal] : [],
  );
  expect(refusals.map(({ code }) => code)).toEqual(['unavailable', 'unavailable', 'unavailable']);
});

test('work that nobody waits for any more is not begun', async () => {
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
  const deadline = Date.now() + 100;
  await expect(say('impatient', 100)).rejects.toMatchObject({ code: 'timeout' });
  // Timers may fire a millisecond before the clock agrees.
  await waitFor(() => expect(Date.now()).toBeGreaterThan(deadline + 5));
  gate.resolve();
  await first;
  expect(await say('next')).toEqual({ text: 'next' });
  expect(begun).toEqual(['first', 'next']);
});

test('closing answers what is in flight and takes nothing new', async () => {
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

test('what is not signed with the key of the installation never reaches the handler', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await serve(handler);
  const stranger = new Bus(bus.connection, new RequestSigner(makeRequestKeys().signingKey));
  await expect(stranger.ask(echo.say, { text: 'trust me' })).rejects.toMatchObject({ code: 'internal' });
  await expect(new Bus(bus.connection).ask(echo.say, { text: 'trust me' })).rejects.toThrow('no key');
  expect(handler).not.toHaveBeenCalled();
});

test('a client of one service may not ask in the name of the gateway', async () => {
  await serve(async ({ text }) => ({ text }));
  const service = new Bus(await connect('offerings'), signer);
  await expect(service.ask(echo.say, { text: 'psst' }, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|timeout/),
  });
  await service.connection.close();
});
