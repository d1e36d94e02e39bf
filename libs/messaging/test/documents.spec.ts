import { contract, request } from '@stoa/contracts';
import { makeRequestKeys, type NatsUser, startNats } from '@stoa/system';
import type { MessageHandler } from '@nestjs/microservices';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Bus, connectBus, Refusal, RequestServer, RequestSigner, RequestVerifier } from '../src/index.ts';

const Text = z.object({ text: z.string() });
// The subject must be a real service's: nobody has rights to others.
const { list } = contract('contact', {
  list: request({ labels: ['text'], input: Text, output: z.object({ items: z.array(Text) }) }),
});

const { signingKey, publicKeys } = makeRequestKeys();
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
let server: RequestServer;
let connection: Awaited<ReturnType<typeof connectBus>>;
const connect = (user: NatsUser) =>
  connectBus({ url: nats.url, name: 'test', user, password: nats.credentials(user).pass });

beforeAll(async () => {
  nats = await startNats();
  bus = new Bus(await connect('gateway'), new RequestSigner(signingKey));
  connection = await connect('contact');
  const verifier = new RequestVerifier(publicKeys);
  server = new RequestServer(connection, { queue: 'contact', verifier, concurrency: 4, backlog: 10 });
  const handle = async ({ text }: z.infer<typeof Text>) => {
    if (text === 'none') throw new Refusal('not_found', 'Nothing here.');
    return { items: [{ text: 'è', secret: 1 }, { text }] };
  };
  server.addHandler(list.subject, handle as MessageHandler, false, { request: list });
  server.listen(() => undefined);
  await connection.flush();
});
afterAll(async () => {
  await server.close();
  await connection.close();
  await bus.connection.close();
  await nats.stop();
});

test('documents come as the service wrote them by the contract', async () => {
  const documents = await bus.askForDocuments(list, { text: 'b' });
  expect(documents.map(({ labels, bytes }) => [labels, Buffer.from(bytes).toString()])).toEqual([
    [{ text: 'è' }, '{"text":"è"}'],
    [{ text: 'b' }, '{"text":"b"}'],
  ]);
});

test('a question that is read by the contract gets the same', async () => {
  await expect(bus.ask(list, { text: 'b' })).resolves.toEqual({ items: [{ text: 'è' }, { text: 'b' }] });
});

test('a refusal is thrown', async () => {
  await expect(bus.askForDocuments(list, { text: 'none' })).rejects.toMatchObject({ code: 'not_found' });
});
