import { contact, limits, type RelayedMessage, type SentMessage } from '@stoa/contracts';
import { type RunningApp, runService } from '@stoa/platform';
import type { ServiceUnderTest } from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@stoa/testing';
import { ContactModule } from '../../src/contact.module.ts';
import { hashSender } from '../../src/messages/sender-hash.ts';
import {
  makeMessage,
  randomIpAddress,
  makeRelayedMessage,
  type ContactUnderTest,
  startContact,
} from '../contact-under-test.ts';

const soon = { timeout: 15_000, interval: 50 };
let started: ContactUnderTest;
let service: ServiceUnderTest;
let replica: RunningApp;

beforeAll(async () => {
  started = await startContact({ SWEEP_INTERVAL_MS: '100' });
  ({ service } = started);
  // A second replica of the service: it uses the same database and the same NATS queue group.
  replica = await runService(ContactModule);
});
afterAll(async () => {
  await replica.stop();
  await started.stop();
});

const messagesFrom = (sender: string, count: number): SentMessage[] =>
  Array.from({ length: count }, () => makeMessage({ sender }));
const send = (message: SentMessage) => service.ask(contact.send, message);
const idsOf = (messages: SentMessage[]) => messages.map(({ id }) => id);

/** Sends as many messages as one sender may send in an hour. */
async function sendHourlyMaximum(sender: string): Promise<SentMessage[]> {
  const messages = messagesFrom(sender, limits.contactPerHour);
  for (const message of messages) await send(message);
  return messages;
}

test('of 20 concurrent messages over two replicas exactly 5 are stored [contact-14]', async () => {
  const messages = messagesFrom(randomIpAddress(), 20);
  const results = await Promise.allSettled(messages.map(send));
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refusals).toHaveLength(15);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'rate_limited' });
  expect(await started.stored(idsOf(messages))).toHaveLength(5);
});

test("an exhausted connection pool is answered 'unavailable'", async () => {
  const sender = randomIpAddress();
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  const key = hashSender(sender, 'known to the tests only');
  await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [key]);
  // 40 messages exceed the database connections of both replicas, and each connection waits for the sender's
  // lock.
  const sent = messagesFrom(sender, 40).map(send);
  const first = await Promise.any(
    sent.map((answer) =>
      answer.then(
        () => Promise.reject(new Error('taken')),
        (error: unknown) => error,
      ),
    ),
  );
  await holder.end();
  await Promise.allSettled(sent);
  expect(first).toMatchObject({ code: 'unavailable' });
});

test('a rate limit answer contains the wait, and the limit ends after an hour', async () => {
  const sender = randomIpAddress();
  const [first, ...others] = await sendHourlyMaximum(sender);
  await started.age([first!.id], '50 minutes');
  const next = makeMessage({ sender });
  const refusal = await send(next).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'rate_limited' });
  const { retryAfter } = refusal as { retryAfter: number };
  expect(retryAfter).toBeGreaterThan(9 * 60);
  expect(retryAfter).toBeLessThanOrEqual(10 * 60);
  await started.age([first!.id], '10 minutes');
  await expect(send(next)).resolves.toEqual({ id: next.id });
  await expect(send(makeMessage({ sender }))).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await started.stored(idsOf([...others, next]))).toHaveLength(limits.contactPerHour);
});

test('repeated and refused messages do not count towards the rate limit [contact-15]', async () => {
  const sender = randomIpAddress();
  const messages = messagesFrom(sender, limits.contactPerHour);
  for (const message of messages) {
    await send(message);
    await send(message);
    await expect(send({ ...message, id: crypto.randomUUID(), subject: '' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  }
  expect(await started.stored(idsOf(messages))).toHaveLength(limits.contactPerHour);
  // A repeated message is accepted even at the limit, because the first answer may have got lost.
  await expect(send(messages[0]!)).resolves.toEqual({ id: messages[0]!.id });
});

const relay = (message: RelayedMessage) => service.ask(contact.relay, message);
const text = () => `A question ${crypto.randomUUID()}`;

test('the rate limit counts each recipient separately [contact-16]', async () => {
  const sender = randomIpAddress();
  await sendHourlyMaximum(sender);
  const first = makeRelayedMessage({ sender, message: text() });
  const more = Array.from({ length: limits.contactPerHour - 1 }, () => ({
    ...makeRelayedMessage({ sender, message: text() }),
    to: first.to,
  }));
  for (const message of [first, ...more]) await expect(relay(message)).resolves.toEqual({ id: message.id });
  const sixth = { ...makeRelayedMessage({ sender, message: text() }), to: first.to };
  await expect(relay(sixth)).rejects.toMatchObject({ code: 'rate_limited' });
  const other = makeRelayedMessage({ sender, message: text() });
  await expect(relay(other)).resolves.toEqual({ id: other.id });
});

test('one address may send 30 messages an hour in all [contact-17]', async () => {
  const sender = randomIpAddress();
  const messages = Array.from({ length: limits.contactPerHourInAll }, () =>
    makeRelayedMessage({ sender, message: text() }),
  );
  for (const message of messages) await relay(message);
  const next = makeRelayedMessage({ sender, message: text() });
  await expect(relay(next)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(send(makeMessage({ sender }))).rejects.toMatchObject({ code: 'rate_limited' });
  await started.age([messages[0]!.id], '1 hour');
  await expect(relay(next)).resolves.toEqual({ id: next.id });
});

test('one text reaches three recipients an hour, and no fourth [contact-18]', async () => {
  const sender = randomIpAddress();
  const message = text();
  const sent = Array.from({ length: limits.contactSameText }, () => makeRelayedMessage({ sender, message }));
  for (const one of sent) await relay(one);
  await expect(relay(makeRelayedMessage({ sender, message }))).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await expect(send(makeMessage({ sender, message }))).rejects.toMatchObject({ code: 'rate_limited' });
  // A second copy to the same recipient counts against that recipient's limit only.
  const again = { ...makeRelayedMessage({ sender, message }), to: sent[0]!.to };
  await expect(relay(again)).resolves.toEqual({ id: again.id });
  const other = makeRelayedMessage({ sender, message: text() });
  await expect(relay(other)).resolves.toEqual({ id: other.id });
  await started.age([sent[1]!.id], '1 hour');
  const later = makeRelayedMessage({ sender, message });
  await expect(relay(later)).resolves.toEqual({ id: later.id });
});

test("the sender's address is stored hashed, and only while a limit counts it", async () => {
  const sender = randomIpAddress();
  const [first, ...others] = await sendHourlyMaximum(sender);
  const rows = await started.stored(idsOf([first!, ...others]));
  for (const row of rows) expect(row.sender).toMatch(/^[\w-]{43}$/);
  await started.age([first!.id], '1 hour');
  await waitFor(async () => expect(await (await started.stored([first!.id]))[0]?.sender).toBeNull(), soon);
  for (const row of await started.stored(idsOf(others))) expect(row.sender).not.toBeNull();
  const relayed = [makeRelayedMessage({}), makeRelayedMessage({})];
  for (const message of relayed) await relay(message);
  const senders = async () => (await started.stored(idsOf(relayed))).filter((row) => row.sender).length;
  await started.age([relayed[0]!.id], '23 hours');
  await started.age([relayed[1]!.id], '24 hours');
  await waitFor(async () => expect(await senders()).toBe(1), soon);
});

test('a relayed message is deleted 30 days after receipt, one to the operator 30 days after mailing', async () => {
  const relayed = makeRelayedMessage();
  const message = makeMessage();
  await service.ask(contact.relay, relayed);
  await send(message);
  await started.age([relayed.id, message.id], `${limits.relayedMessageDays} days`);
  await waitFor(
    async () =>
      expect(await started.stored([relayed.id, message.id])).toEqual([{ id: message.id, sender: null }]),
    soon,
  );
  const isAged = () => started.age([message.id], `${limits.operatorMessageDays} days`, 'mailed_at');
  await waitFor(async () => expect(await isAged()).toBe(1), soon);
  await waitFor(async () => expect(await started.stored([message.id])).toEqual([]), soon);
});
