import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Bus } from '../src/index.ts';
import { header } from '../src/wire.ts';
import { echo, EchoService } from './echo-service.ts';
import { freezableWire } from './freezable-wire.ts';

let service: EchoService;

beforeAll(async () => {
  service = await EchoService.open();
});
afterEach(() => service.stopReplicas());
afterAll(() => service.close());

test('a request that no replica took, even a write, is sent again when the service is back', async () => {
  const begun: string[] = [];
  const work = async (input: { text: string }) => {
    begun.push(input.text);
    return input;
  };
  await service.serve(work);
  await service.lose(0);
  service.forgetTheLost();
  const sent = service.bus.connection.stats().outMsgs;
  const answer = service.say('write', 30_000);
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - sent).toBeGreaterThanOrEqual(2));
  await service.serve(work);
  expect(await answer).toEqual({ text: 'write' });
  expect(begun).toEqual(['write']);
});

test('a service that has been away for longer than a restart takes is not waited for', async () => {
  await expect(service.say('first', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  const sent = service.bus.connection.stats().outMsgs;
  await expect(service.say('second', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  // The bus repeats the request as often as the rest of its 3 s allows.
  expect(service.bus.connection.stats().outMsgs - sent).toBeLessThanOrEqual(4);
  await service.serve(async (input) => input);
  expect(await service.say('third')).toEqual({ text: 'third' });
});

test('a read is sent again after its connection is lost, a write is refused immediately', async () => {
  const wire = await freezableWire(service.nats.url);
  const bus = new Bus(await service.connect('gateway', wire.url));
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  await service.serve(async (input) => {
    begun.push(input.text);
    if (input.text === 'write') await gate.promise;
    return input;
  });
  const write = bus.ask(echo.change, { text: 'write' }, { timeoutMs: 30_000 });
  write.catch(() => undefined);
  await waitFor(() => expect(begun).toEqual(['write']));
  const read = bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 });
  wire.cut();
  await expect(write).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  expect(await read).toEqual({ text: 'read' });
  expect(begun.filter((text) => text === 'write')).toHaveLength(1);
  gate.resolve();
  await bus.connection.close();
  wire.close();
});

/** Two replicas: the first that gets a request dies of it. Resolves to the requests of the other one. */
async function serveTwoAndLoseOne() {
  const received: string[] = [];
  let lost = false;
  const dieOrAnswer = (replica: number) => async (input: { text: string }) => {
    if (lost) received.push(input.text);
    else {
      lost = true;
      await service.lose(replica);
      await new Promise(() => undefined);
    }
    return input;
  };
  for (const replica of [0, 1]) await service.serve(dieOrAnswer(replica));
  return received;
}

test('a read is retried once on another replica', async () => {
  const received = await serveTwoAndLoseOne();
  expect(await service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).toEqual({ text: 'read' });
  expect(received).toEqual(['read']);
  service.forgetTheLost();
});

test('a read is retried at most once, and the retry is marked', async () => {
  const gate = Promise.withResolvers<void>();
  await service.serve(async (input) => {
    await gate.promise;
    return input;
  });
  const tries: boolean[] = [];
  const listener = await service.connect('contact');
  listener.subscribe(echo.read.subject, {
    callback: (_, { headers }) => void tries.push(headers?.has(header.retry) ?? false),
  });
  await listener.flush();
  await expect(service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 1200 })).rejects.toMatchObject({
    code: 'timeout',
  });
  await listener.flush();
  expect(tries).toEqual([false, true]);
  gate.resolve();
  await listener.close();
});

test.each(['say', 'change'] as const)(
  'a write (%s) that died with one of two replicas is not retried',
  async (name) => {
    const received = await serveTwoAndLoseOne();
    const write = service.bus.ask(echo[name], { text: 'write' }, { timeoutMs: 1500 });
    await expect(write).rejects.toMatchObject({ code: 'timeout', retryAfter: 1 });
    expect(received).toEqual([]);
    service.forgetTheLost();
  },
);
