import { contact, limits } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeRelayedMessage, type ContactUnderTest, startContact } from './contact-under-test.ts';

let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact();
});
afterAll(() => started.stop());

test('a creator lists the messages to them, held or mailed, the oldest first, and nobody else does', async () => {
  const { ask } = started.service;
  const first = makeRelayedMessage();
  const second = makeRelayedMessage({}, { ...first.to, emailVerified: false });
  for (const message of [first, second, makeRelayedMessage()]) await ask(contact.relay, message);
  const caller = makeCaller({ uid: first.to.uid });
  const { items } = await ask(contact.listReceived, { skip: 0 }, caller);
  const { to: _, sender: __, ...text } = first;
  expect(items.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(items[0]).toEqual({ ...text, receivedAt: expect.any(String) });
  expect((await ask(contact.listReceived, { skip: 1 }, caller)).items).toHaveLength(1);
  expect((await ask(contact.listReceived, { skip: limits.messagesPage }, caller)).items).toEqual([]);
  expect((await ask(contact.listReceived, { skip: 0 }, makeCaller())).items).toEqual([]);
});

test('pages of the longest messages fit into an answer', async () => {
  const { ask } = started.service;
  const caller = makeCaller();
  // One character to people, seven to a computer.
  const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  const sent = 70;
  for (let n = 0; n < sent; n += 1) {
    const { to, ...message } = makeRelayedMessage({ message: flag.repeat(4400) });
    await ask(contact.relay, { ...message, to: { ...to, uid: caller.uid, emailVerified: true } });
  }
  let listed = 0;
  for (let skip = 0; skip < sent; skip += limits.messagesPage)
    listed += (await ask(contact.listReceived, { skip }, caller)).items.length;
  expect(listed).toBe(sent);
});
