import { contract, request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats, waitFor } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { connectBus, RequestServer, RequestVerifier } from '../src/index.ts';
import { SendingClock } from '../src/request-ages.ts';
import { ServiceLiveness } from '../src/service-liveness.ts';

const Text = z.object({ text: z.string() });
// The subjects must be a real service's: nobody has rights to others.
const echo = contract('contact', { say: request({ input: Text, output: Text }) });
const { publicKeys } = makeRequestKeys();
let nats: Awaited<ReturnType<typeof startNats>>;

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

const connect = (user: NatsUser) =>
  connectBus({ url: nats.url, name: 'test', user, password: nats.credentials(user).pass });

async function startReplica() {
  const connection = await connect('contact');
  const verifier = new RequestVerifier(publicKeys);
  const server = new RequestServer(connection, { queue: 'contact', verifier, concurrency: 4, backlog: 10 });
  const handler = (async (input: unknown) => input) as unknown as MessageHandler;
  server.addHandler(echo.say.subject, handler, false, { request: echo.say });
  server.listen(() => undefined);
  await connection.flush();
  const stop = async () => {
    await server.close();
    await connection.close();
  };
  return { stop, die: () => connection.close() };
}

test('a replica that stops says goodbye and is no loss, one that dies is', async () => {
  const [stopping, dying, staying] = await Promise.all([startReplica(), startReplica(), startReplica()]);
  const watcher = await connect('gateway');
  const liveness = new ServiceLiveness(watcher, 'contact', new SendingClock());
  const waiting = new AbortController();
  // Nobody has it in hand: it counts as lost as soon as a replica does.
  const outcome = liveness.whenLost('unheard-of', waiting.signal).then(({ code }) => code);
  /** Several rounds of asking who has it, each of which every replica answers. */
  const surveyed = async () => {
    const before = watcher.stats().inMsgs;
    await waitFor(() => expect(watcher.stats().inMsgs - before).toBeGreaterThan(12));
  };
  await surveyed();
  await stopping.stop();
  await surveyed();
  await expect(Promise.race([outcome, Promise.resolve('waits')])).resolves.toBe('waits');
  await dying.die();
  await expect(outcome).resolves.toBe('unavailable');
  waiting.abort();
  await staying.stop();
  await watcher.close();
});
