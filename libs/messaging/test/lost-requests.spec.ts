import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Call } from '../src/index.ts';
import { header } from '../src/wire.ts';
import { echo, EchoService } from './echo-service.ts';

/** From the crash of a service to an answer for whom it had a request of in hand. */
const noticedWithinMs = 1000;
const rounds = 5;

let service: EchoService;

beforeAll(async () => {
  service = await EchoService.open();
});
afterEach(() => service.stopReplicas());
afterAll(() => service.close());

test('a request that nobody took is asked again when the service comes back, whatever it asks for', async () => {
  const begun: string[] = [];
  const work = async (input: { text: string }) => {
    begun.push(input.text);
    return input;
  };
  await service.serve(work);
  await service.meetReplicas();
  await service.lose(0);
  service.forgetTheLost();
  const sent = service.bus.connection.stats().outMsgs;
  const answer = service.say('write', 30_000);
  // It was sent, and somebody is looked for since.
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - sent).toBeGreaterThanOrEqual(2));
  await service.serve(work);
  expect(await answer).toEqual({ text: 'write' });
  expect(begun).toEqual(['hello', 'write']);
});

test('a service that has been away for longer than a restart takes is not waited for', async () => {
  await service.serve(async (input) => input);
  await service.meetReplicas();
  await service.lose(0);
  service.forgetTheLost();
  await expect(service.say('first', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  const sent = service.bus.connection.stats().outMsgs;
  await expect(service.say('second', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  // The request itself, and who asks every few seconds whether somebody is there.
  expect(service.bus.connection.stats().outMsgs - sent).toBeLessThanOrEqual(4);
});

/** Milliseconds from the crash of a service with a request in hand until who waits for that is told. */
async function noticedAfterMs(): Promise<number> {
  let begun = 0;
  await service.serve(async (input) => {
    if (input.text === 'hello') return input;
    begun += 1;
    return new Promise(() => undefined);
  });
  await service.meetReplicas();
  const [dying] = service.replicas.splice(0);
  const waiting = service.say('last words', 30_000);
  await waitFor(() => expect(begun).toBe(1));
  const since = performance.now();
  await dying!.connection.close();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  return performance.now() - since;
}

test('a crashed service is noticed within a second', async () => {
  const times: number[] = [];
  // A busy machine takes longer, but not every time.
  while (times.length < rounds && !times.some((ms) => ms < noticedWithinMs))
    times.push(await noticedAfterMs());
  if (process.env['STOA_SHOW_TIMES']) console.log({ noticedAfterMs: times.map(Math.round) });
  expect(Math.min(...times)).toBeLessThan(noticedWithinMs);
});

test('a read that NATS took with it is asked again once NATS is back, a write is given up', async () => {
  const begun: string[] = [];
  let wasAway = false;
  await service.serve(async ({ text }) => {
    begun.push(text);
    return wasAway ? { text } : new Promise(() => undefined);
  });
  const read = service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 });
  await waitFor(() => expect(begun).toContain('read'));
  const write = service.say('write', 30_000);
  write.catch(() => undefined);
  await waitFor(() => expect(begun).toContain('write'));
  await service.nats.leave();
  wasAway = true;
  await service.nats.comeBack();
  await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  expect(await read).toEqual({ text: 'read' });
  await service.replicas.splice(0)[0]!.connection.close();
});

/** Two replicas, of which the first to be asked dies of it; resolves to what the other one was asked. */
async function serveTwoAndLoseOne() {
  const asked: string[] = [];
  let lost = false;
  const dieOrAnswer = (replica: number) => async (input: { text: string }) => {
    if (input.text === 'hello') return input;
    if (lost) asked.push(input.text);
    else {
      lost = true;
      await service.lose(replica);
      await new Promise(() => undefined);
    }
    return input;
  };
  for (const replica of [0, 1]) await service.serve(dieOrAnswer(replica));
  await service.meetReplicas();
  return asked;
}

test('retries a read once on another replica', async () => {
  const asked = await serveTwoAndLoseOne();
  expect(await service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).toEqual({ text: 'read' });
  expect(asked).toEqual(['read']);
  service.forgetTheLost();
});

test('retries a read until a replica answers that does not hang', async () => {
  const asked: string[] = [];
  await service.serve(async ({ text }) => {
    asked.push(text);
    // NATS may deal one try after the other to the replica that hangs.
    return asked.length < 4 ? new Promise(() => undefined) : { text };
  });
  expect(await service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).toEqual({ text: 'read' });
  expect(asked).toEqual(['read', 'read', 'read', 'read']);
  await service.replicas.splice(0)[0]!.connection.close();
});

test('a write that died with one of two replicas is given up long before the deadline, and not retried', async () => {
  const asked = await serveTwoAndLoseOne();
  const since = performance.now();
  await expect(service.say('write', 30_000)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  // Less than a busy machine makes of it, and half of what the deadline would.
  expect(performance.now() - since).toBeLessThan(15_000);
  expect(asked).toEqual([]);
  service.forgetTheLost();
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
  await service.serve(work);
  await service.serve(work);
  await service.meetReplicas();
  await service.lose(0);
  service.forgetTheLost();
  const answer = service.say('write', 30_000);
  const since = service.bus.connection.stats().outMsgs;
  // Several rounds of asking who has it.
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - since).toBeGreaterThan(10), {
    timeout: 20_000,
  });
  gate.resolve();
  expect(await answer).toEqual({ text: 'write' });
  expect(begun).toEqual(['write']);
});

const change = (timeoutMs = 30_000) => service.bus.ask(echo.change, { text: 'change' }, { timeoutMs });

test('a write that its service knows again is asked of another replica, under the same id, once the first is lost', async () => {
  const ids: [id: string | undefined, isRepeat: boolean][] = [];
  let lost = false;
  const dieOrAnswer =
    (replica: number) =>
    async (input: { text: string }, { requestId, isRepeat }: Call) => {
      if (input.text === 'hello') return input;
      ids.push([requestId, isRepeat]);
      if (lost) return input;
      lost = true;
      await service.lose(replica);
      return new Promise(() => undefined);
    };
  for (const replica of [0, 1]) await service.serve(dieOrAnswer(replica));
  await service.meetReplicas();
  expect(await change()).toEqual({ text: 'change' });
  expect(ids).toEqual([
    [expect.stringMatching(/^\w{16,}$/), false],
    [ids[0]?.[0], true],
  ]);
  service.forgetTheLost();
});

test('a replica is known from its first moment on: what it took with it then is asked of another one', async () => {
  await service.serve(async (input) => input);
  await service.meetReplicas();
  let lost = false;
  await service.serve(async (input) => {
    if (lost) return input;
    lost = true;
    await service.lose(1);
    return new Promise(() => undefined);
  });
  // NATS deals one or another of them to the new one.
  const answers = Array.from({ length: 10 }, () => change());
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ text: 'change' })));
  expect(lost).toBe(true);
  service.forgetTheLost();
});

test('such a write is asked again when its only replica died with it and another one comes', async () => {
  let begun = 0;
  await service.serve(async (input) => {
    if (input.text === 'hello') return input;
    begun += 1;
    return new Promise(() => undefined);
  });
  await service.meetReplicas();
  const answer = change();
  await waitFor(() => expect(begun).toBe(1));
  await service.lose(0);
  service.forgetTheLost();
  await service.serve(async (input) => input);
  expect(await answer).toEqual({ text: 'change' });
});

test('such a write is asked of nobody else while the replica that has it is only slow', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const work = async (input: { text: string }) => {
    if (input.text === 'hello') return input;
    begun += 1;
    await gate.promise;
    return input;
  };
  await service.serve(work);
  await service.serve(work);
  await service.meetReplicas();
  const answer = change();
  const since = service.bus.connection.stats().outMsgs;
  await waitFor(() => expect(service.bus.connection.stats().outMsgs - since).toBeGreaterThan(10), {
    timeout: 20_000,
  });
  gate.resolve();
  expect(await answer).toEqual({ text: 'change' });
  expect(begun).toBe(1);
});

test('such a write still says that it may have been done where there was no place for it when NATS was back', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: [text: string, isRepeat: boolean][] = [];
  await service.serve(
    async (input, { isRepeat }) => {
      begun.push([input.text, isRepeat]);
      if (input.text !== 'hello') await gate.promise;
      return input;
    },
    { concurrency: 1, backlog: 1 },
  );
  await service.meetReplicas();
  const answer = change();
  await waitFor(() => expect(begun).toContainEqual(['change', false]));
  const waiting = service.say('waits', 30_000);
  waiting.catch(() => undefined);
  await service.bus.connection.flush();
  const listener = await service.connect('contact');
  let resent = 0;
  listener.subscribe(echo.change.subject, {
    callback: (_, { headers }) => void (headers?.has(header.resend) && (resent += 1)),
  });
  await listener.flush();
  await service.nats.leave();
  await service.nats.comeBack();
  await waitFor(() => expect(resent).toBeGreaterThan(0), { timeout: 20_000 });
  // It has been refused by now.
  await service.replicas[0]!.connection.flush();
  gate.resolve();
  expect(await answer).toEqual({ text: 'change' });
  expect(begun.filter(([text]) => text === 'change')).toEqual([
    ['change', false],
    ['change', true],
  ]);
  await listener.close();
});
