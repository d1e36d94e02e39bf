import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { nuid } from '@nats-io/transport-node';
import { type Call, Refusal, withIdempotencyKey } from '../src/index.ts';
import { header, toHeaders } from '../src/wire.ts';
import { echo, EchoService } from './echo-service.ts';
import { freezableWire } from './freezable-wire.ts';

let service: EchoService;
let wire: Awaited<ReturnType<typeof freezableWire>>;

beforeAll(async () => {
  service = await EchoService.open();
});
beforeEach(async () => {
  wire = await freezableWire(service.nats.url);
});
afterEach(async () => {
  wire.thaw();
  await service.stopReplicas();
  wire.close();
});
afterAll(() => service.close());

const change = (text: string, timeoutMs = 10_000) => service.bus.ask(echo.change, { text }, { timeoutMs });
const read = (timeoutMs: number) => service.bus.ask(echo.read, { text: 'read' }, { timeoutMs });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** A handler that records each effect by its request id, as a service does in its inbox. */
function inbox() {
  const done: string[] = [];
  const ids = new Set<string | undefined>();
  const work = async (input: { text: string }, { requestId }: Call) => {
    if (requestId === undefined || !ids.has(requestId)) done.push(input.text);
    ids.add(requestId);
    return input;
  };
  return { done, work };
}

test('a read is answered or refused in time while one of two replicas hangs', async () => {
  const answer = async (input: { text: string }) => input;
  await service.serve(answer);
  await service.serve(answer, { url: wire.url });
  wire.freeze();
  // Three of four reads reach the other replica, by their first or second try.
  const outcomes = await Promise.all(Array.from({ length: 16 }, () => codeOf(read(1400))));
  expect(outcomes).toContain('done');
  expect(outcomes.filter((outcome) => !['done', 'timeout'].includes(outcome))).toEqual([]);
});

test('a repeated write is done once when a hanging replica received the first try', async () => {
  const { done, work } = inbox();
  await service.serve(work);
  await service.serve(work, { url: wire.url });
  wire.freeze();
  const texts = Array.from({ length: 12 }, (_, index) => `change ${index}`);
  const write = async (text: string) => {
    const key = nuid.next();
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'done')
      outcomes.push(await withIdempotencyKey(key, () => codeOf(change(text, 400))));
    return outcomes;
  };
  const outcomes = await Promise.all(texts.map(write));
  expect(outcomes.flat()).toContain('timeout');
  wire.thaw();
  // Each replica handles its earlier requests before the next one.
  await waitFor(async () => {
    await service.say('hello');
    expect(done.filter((text) => text !== 'hello').toSorted()).toEqual(texts.toSorted());
  });
});

test('a write past its deadline is not done, and the next one is', async () => {
  const { done, work } = inbox();
  await service.serve(work, { url: wire.url });
  wire.freeze();
  await expect(change('late', 300)).rejects.toMatchObject({ code: 'timeout' });
  await expect(service.say('late too', 300)).rejects.toMatchObject({ code: 'timeout' });
  wire.thaw();
  await expect(change('in time')).resolves.toEqual({ text: 'in time' });
  expect(done).toEqual(['in time']);
});

test('clock skew refuses writes past their deadline, and no reads', async () => {
  const { done, work } = inbox();
  await service.serve(work);
  const ask = ({ subject }: { subject: string }, text: string) => {
    const body = JSON.stringify({ text });
    const headers = toHeaders({
      [header.budget]: '5000',
      [header.deadline]: String(Date.now() - 1000),
    });
    return service.bus.connection.request(subject, body, { timeout: 5000, headers });
  };
  expect((await ask(echo.change, 'write')).headers?.get(header.refusal)).toBe('timeout');
  expect((await ask(echo.read, 'read')).json()).toEqual({ text: 'read' });
  expect(done).toEqual(['read']);
});

test('a repeated write is recognised by key, request and caller together', async () => {
  const ids: (string | undefined)[] = [];
  await service.serve(async (input, { requestId }) => {
    ids.push(requestId);
    return input;
  });
  const key = nuid.next();
  const repeat = async (work: () => Promise<unknown>) => {
    await withIdempotencyKey(key, work);
    return ids.at(-1);
  };
  const first = await repeat(() => change('one'));
  expect(first).toMatch(/^[\w-]{16,64}$/);
  expect(await repeat(() => change('one'))).toBe(first);
  expect(await repeat(() => service.say('one'))).not.toBe(first);
  await change('without a key');
  expect(ids.at(-1)).toBeUndefined();
  await repeat(() => read(5000));
  expect(ids.at(-1)).toBeUndefined();
});
