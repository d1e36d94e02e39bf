import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Bus, type Call, Refusal, withBudget } from '../src/index.ts';
import { header, toHeaders } from '../src/wire.ts';
import { echo, EchoService } from './echo-service.ts';

let service: EchoService;

beforeAll(async () => {
  service = await EchoService.open();
});
afterEach(() => service.stopReplicas());
afterAll(() => service.close());

test('an answer is stripped of undeclared fields [messaging-7]', async () => {
  await service.serve(async ({ text }) => ({ text, secret: 'x' }));
  expect(await service.say('hello')).toEqual({ text: 'hello' });
});

test('a refusal is passed on, an unexpected error without its details [messaging-8]', async () => {
  await service.serve(async ({ text }) => {
    throw text === 'refuse' ? new Refusal('conflict', 'Not twice.') : new Error('password=1234');
  });
  await expect(service.say('refuse')).rejects.toMatchObject({ code: 'conflict', message: 'Not twice.' });
  await expect(service.say('fail')).rejects.toMatchObject({
    code: 'internal',
    message: 'Something went wrong.',
  });
});

test('invalid input never reaches the handler [messaging-9]', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await service.serve(handler);
  await expect(service.say('')).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'text' }] });
  expect(handler).not.toHaveBeenCalled();
});

test("no responder is 'unavailable', no answer in time 'timeout'", async () => {
  await expect(service.say('anybody?')).rejects.toMatchObject({ code: 'unavailable' });
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  await service.serve(() => promise);
  await expect(service.say('slow', 200)).rejects.toMatchObject({ code: 'timeout' });
  resolve({ text: 'late' });
});

test('slow requests take no slot of others', async () => {
  const gate = Promise.withResolvers<void>();
  await service.serve(
    async ({ text }) => {
      if (text === 'slow') await gate.promise;
      return { text };
    },
    { concurrency: 2, backlog: 1 },
  );
  const ask = () =>
    service.bus
      .ask(echo.check, { text: 'slow' }, { timeoutMs: 20_000 })
      .catch((error: Refusal) => error.code);
  const slow = [ask(), ask(), ask(), ask()];
  await expect(Promise.race(slow)).resolves.toBe('unavailable');
  await expect(service.say('hello')).resolves.toEqual({ text: 'hello' });
  gate.resolve();
  expect((await Promise.all(slow)).filter((answer) => answer === 'unavailable')).toHaveLength(1);
});

test('concurrency is limited, a few requests queue, the rest is refused [messaging-10]', async () => {
  let atWork = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  await service.serve(
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
  const sent = Array.from({ length: 8 }, (_, index) => service.say(`request ${index}`, 20_000));
  for (const each of sent) each.catch((refusal: Refusal) => refused.push(refusal));
  // All three end after some retries; one still on its way when the gate opens would find a slot.
  await waitFor(() => expect(refused).toHaveLength(3));
  await waitFor(() => expect(atWork).toBe(2));
  gate.resolve();
  const results = await Promise.allSettled(sent);
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(refused.map(({ code }) => code)).toEqual(['unavailable', 'unavailable', 'unavailable']);
});

test('concurrent requests after an outage all find a slot, by retries with backoff', async () => {
  let begun = 0;
  const work = async (input: { text: string }) => {
    begun += 1;
    await pause(20);
    return input;
  };
  await service.serve(work, { concurrency: 2, backlog: 3 });
  const writes = Array.from({ length: 30 }, (_, index) => service.say(`write ${index}`, 20_000));
  expect(await Promise.all(writes)).toHaveLength(30);
  // A refused request was not begun.
  expect(begun).toBe(30);
});

test('only a bounded number of refused requests retry, and later ones may retry again', async () => {
  let gate = Promise.withResolvers<void>();
  let begun = 0;
  const work = async (input: { text: string }) => {
    begun += 1;
    await gate.promise;
    return input;
  };
  await service.serve(work, { concurrency: 1, backlog: 1 });
  const sentBefore = service.bus.connection.stats().outMsgs;
  const crowd = Array.from({ length: 400 }, (_, index) => service.say(`write ${index}`, 20_000));
  const refused = crowd.map((write) => write.then(() => false).catch(() => true));
  // All requests are refused except the running one and the waiting one.
  let count = 0;
  for (const each of refused) void each.then((isRefused) => (count += Number(isRefused)));
  await waitFor(() => expect(count).toBe(398), { timeout: 20_000 });
  // Within 3 s at most 256 requests retry, each at most ten times.
  const sent = service.bus.connection.stats().outMsgs - sentBefore;
  expect(sent).toBeGreaterThan(400 + 256);
  expect(sent).toBeLessThan(400 + 10 * 256);

  gate.resolve();
  await Promise.all(refused);
  gate = Promise.withResolvers();
  begun = 0;
  const filling = ['one', 'two'].map((text) => service.say(text, 20_000));
  await waitFor(() => expect(begun).toBe(1));
  const late = service.say('late', 20_000);
  const sentSoFar = service.bus.connection.stats().outMsgs;
  await waitFor(() => expect(service.bus.connection.stats().outMsgs).toBeGreaterThan(sentSoFar));
  gate.resolve();
  expect(await late).toEqual({ text: 'late' });
  await Promise.all(filling);
});

/**
 * Starts a server that handles one request at a time, and sends `first`, which runs until the gate is opened.
 */
async function busyServer() {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  await service.serve(
    async ({ text }) => {
      begun.push(text);
      await gate.promise;
      return { text };
    },
    { concurrency: 1 },
  );
  const first = service.say('first');
  await waitFor(() => expect(begun).toEqual(['first']));
  return { gate, begun, first };
}

test('a request past its deadline is not started', async () => {
  const { gate, begun, first } = await busyServer();
  const deadline = Date.now() + 100;
  await expect(service.say('impatient', 100)).rejects.toMatchObject({ code: 'timeout' });
  // Timers may fire a millisecond before the clock agrees.
  await waitFor(() => expect(Date.now()).toBeGreaterThan(deadline + 100));
  gate.resolve();
  await first;
  expect(await service.say('next')).toEqual({ text: 'next' });
  expect(begun).toEqual(['first', 'next']);
});

test('a hanging handler gives its slot back at the deadline of its request', async () => {
  const gate = Promise.withResolvers<void>();
  const server = await service.serve(
    async ({ text }) => {
      if (text === 'hang') await gate.promise;
      return { text };
    },
    { concurrency: 2 },
  );
  const hanging = Array.from({ length: 4 }, () => service.say('hang', 300));
  for (const { reason } of (await Promise.allSettled(hanging)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'timeout' });
  expect(await service.say('next')).toEqual({ text: 'next' });
  // The late handler does not keep the process from stopping.
  await server.close();
  gate.resolve();
});

test('hanging handlers beyond a bound keep their slots, which bounds the memory', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  await service.serve(
    async (input) => {
      begun += 1;
      await gate.promise;
      return input;
    },
    { concurrency: 1, overdue: 2 },
  );
  for (const _ of [1, 2, 3])
    await expect(service.say('hang', 300)).rejects.toMatchObject({ code: 'timeout' });
  await expect(service.say('next', 300)).rejects.toMatchObject({ code: 'timeout' });
  expect(begun).toBe(3);
  gate.resolve();
  await waitFor(async () => expect(await service.say('next')).toEqual({ text: 'next' }));
});

test('shutdown answers requests in flight and takes no new ones', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const server = await service.serve(async ({ text }) => {
    begun.push(text);
    await gate.promise;
    return { text };
  });
  const inFlight = service.say('in flight');
  await waitFor(() => expect(begun).toEqual(['in flight']));
  const closed = server.close();
  gate.resolve();
  await closed;
  expect(await inFlight).toEqual({ text: 'in flight' });
  await expect(service.say('too late')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a service receives the caller, in any script, and none for a visitor', async () => {
  const callers: unknown[] = [];
  await service.serve(async (input, { callerIfAny }: Call) => {
    callers.push(callerIfAny);
    return input;
  });
  const caller = {
    ...{ uid: randomUUID(), sid: 'session', username: 'ama', email: 'ama@example.test' },
    ...{ emailVerified: true, displayName: 'Àmá 🖋 آما', termsAcceptedAt: null },
    ...{ tokenIssuedAt: '2026-11-27T12:00:00.000Z', isOperator: false },
  };
  await service.bus.ask(echo.say, { text: 'x' }, { caller });
  await service.say('x');
  expect(callers).toEqual([caller, null]);
});

test('an invalid caller never reaches the handler', async () => {
  const handler = jest.fn(async () => ({ text: '' }));
  await service.serve(handler);
  for (const sent of ['{"uid":1}', 'nobody']) {
    const headers = toHeaders({ [header.budget]: '5000', [header.caller]: sent });
    const answer = await service.bus.connection.request(echo.say.subject, '{"text":"x"}', {
      ...{ headers, timeout: 5000 },
    });
    expect(answer.headers?.get(header.refusal)).toBe('internal');
  }
  expect(handler).not.toHaveBeenCalled();
});

test.each(['say', 'read', 'change'] as const)(
  '%s is refused as unavailable while a dependency is away, and not retried',
  async (name) => {
    const away = new Error('The database is away.');
    const handler = jest.fn(async () => Promise.reject(away));
    await service.serve(handler, { isOutage: (error) => error === away });
    await expect(service.bus.ask(echo[name], { text: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(handler).toHaveBeenCalledTimes(1);
  },
);

test('a service may not send requests as the gateway', async () => {
  await service.serve(async ({ text }) => ({ text }));
  const other = new Bus(await service.connect('offerings'));
  await expect(other.ask(echo.say, { text: 'psst' }, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|timeout/),
  });
  await other.connection.close();
});

test("a request that queued past its deadline is answered 'timeout'", async () => {
  const { gate, begun, first } = await busyServer();
  const headers = toHeaders({ [header.budget]: '50' });
  // Sends the request without the bus, which would not wait for a late answer.
  const late = service.bus.connection.request(echo.say.subject, '{"text":"late"}', {
    headers,
    timeout: 10_000,
  });
  const until = performance.now() + 500;
  await waitFor(() => expect(performance.now()).toBeGreaterThan(until));
  gate.resolve();
  await first;
  expect((await late).headers?.get(header.refusal)).toBe('timeout');
  expect(begun).toEqual(['first']);
});

test('the calls of one request share its deadline', async () => {
  const handled: string[] = [];
  const gate = Promise.withResolvers<void>();
  await service.serve(async ({ text }) => {
    handled.push(text);
    if (text === 'slow') await gate.promise;
    return { text };
  });
  await withBudget(0, async () => {
    expect(await service.say('quick', 2000)).toEqual({ text: 'quick' });
    await expect(service.say('slow', 2000)).rejects.toMatchObject({ code: 'timeout' });
    await expect(service.say('never', 2000)).rejects.toMatchObject({ code: 'timeout' });
  });
  gate.resolve();
  expect(handled).toEqual(['quick', 'slow']);
});
