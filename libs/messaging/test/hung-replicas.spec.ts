import { waitFor } from '@stoa/system';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, Refusal, replicasSubject } from '../src/index.ts';
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
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** Replicas that note what they do, by the id of its request, as a service does in its inbox. */
function inbox() {
  const done: string[] = [];
  const ids = new Set<string | undefined>();
  const work = async (input: { text: string }, { requestId }: Call) => {
    if (!['hello', 'read'].includes(input.text) && !ids.has(requestId)) {
      ids.add(requestId);
      done.push(input.text);
    }
    return input;
  };
  return { done, work };
}

test('while one of two replicas hangs no write is refused, and each is done once', async () => {
  const { done, work } = inbox();
  // All that lay in the hung one's hands comes to the other at once.
  const backlog = 60;
  await service.serve(work, { backlog });
  await service.serve(work, { backlog, url: wire.url });
  await service.meetReplicas();
  wire.freeze();
  const texts = Array.from({ length: 60 }, (_, index) => `change ${index}`);
  const outcomes: string[] = [];
  // Over longer than it takes to notice: some are in its hands before, some are dealt to it after.
  const asked = texts.map(async (text, index) => {
    await pause(index * 80);
    outcomes.push(await codeOf(change(text)));
  });
  await Promise.all(asked);
  expect(outcomes.filter((outcome) => outcome !== 'done')).toEqual([]);
  wire.thaw();
  await service.say('hello');
  expect(done.toSorted()).toEqual(texts.toSorted());
});

test('a write in the hands of the only replica is waited for while that hangs, and answered when it goes on', async () => {
  const { done, work } = inbox();
  await service.serve(work, { url: wire.url });
  await service.meetReplicas();
  wire.freeze();
  const answer = change('change');
  // A read is refused once it is known that the service hangs.
  await expect(service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).rejects.toMatchObject({
    code: 'unavailable',
  });
  const next = change('next');
  wire.thaw();
  expect(await Promise.all([answer, next])).toEqual([{ text: 'change' }, { text: 'next' }]);
  expect(done.toSorted()).toEqual(['change', 'next']);
});

test('a service that goes on is asked again at once, whatever question it never got', async () => {
  await service.serve(async (input) => input, { url: wire.url });
  await service.meetReplicas();
  wire.freeze();
  await expect(service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 30_000 })).rejects.toMatchObject({
    code: 'unavailable',
  });
  // What was sent to it is lost with its connection, as over a wire that swallowed it.
  wire.cut();
  await waitFor(async () => expect(await codeOf(service.bus.ask(echo.read, { text: 'read' }))).toBe('done'), {
    timeout: 1500,
  });
});

test('what came too late is not done, and the next one is', async () => {
  const { done, work } = inbox();
  await service.serve(work, { url: wire.url });
  await service.meetReplicas();
  wire.freeze();
  await expect(change('late', 300)).rejects.toMatchObject({ code: 'timeout' });
  await expect(service.say('late too', 300)).rejects.toMatchObject({ code: 'timeout' });
  // By more than a busy machine keeps the fastest of the others waiting.
  expect(await codeOf(service.bus.ask(echo.read, { text: 'read' }, { timeoutMs: 2000 }))).not.toBe('done');
  wire.thaw();
  await expect(change('in time')).resolves.toEqual({ text: 'in time' });
  expect(done).toEqual(['in time']);
});

test('an asker whose clock stood still is heard nevertheless', async () => {
  const { done, work } = inbox();
  await service.serve(work);
  await service.meetReplicas();
  const { connection } = service.bus;
  const request = jest.spyOn(connection, 'request');
  await service.say('hello');
  const said = request.mock.calls.at(-1)?.[2]?.headers?.get(header.sent) ?? '';
  request.mockRestore();
  const [name, ms] = said.split(' ');
  // As it would have gone on.
  const headers = toHeaders({ [header.sent]: `${name} ${Number(ms) + 60_000}` });
  await connection.request(replicasSubject('contact'), '[]', { timeout: 5000, headers });
  await expect(service.say('write')).resolves.toEqual({ text: 'write' });
  expect(done).toEqual(['write']);
});
