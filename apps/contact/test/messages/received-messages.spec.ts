import { contact, limits } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeRelayedMessage, type ContactUnderTest, startContact } from '../contact-under-test.ts';

let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact();
});
afterAll(() => started.stop());

test('only the creator lists their messages, held or mailed, oldest first', async () => {
  const { ask } = started.service;
  const first = makeRelayedMessage();
  const second = makeRelayedMessage({}, { ...first.to, emailVerified: false });
  for (const message of [first, second, makeRelayedMessage()]) await ask(contact.relay, message);
  const caller = makeCaller({ uid: first.to.uid });
  const { items } = await ask(contact.listReceived, {}, caller);
  const { to: _, sender: __, ...text } = first;
  expect(items.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(items[0]).toEqual({ ...text, receivedAt: expect.any(String) });
  const rest = (after: (typeof items)[number]) =>
    ask(contact.listReceived, { after: { receivedAt: after.receivedAt, id: after.id } }, caller);
  expect((await rest(items[0]!)).items).toEqual(items.slice(1));
  expect((await rest(items[1]!)).items).toEqual([]);
  expect((await ask(contact.listReceived, {}, makeCaller())).items).toEqual([]);
});

test('pages of the longest messages fit into an answer', async () => {
  const { ask } = started.service;
  const caller = makeCaller();
  // The flag of England: one visible character that consists of seven code points.
  const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  const sent = 70;
  for (let n = 0; n < sent; n += 1) {
    const { to, ...message } = makeRelayedMessage({ message: flag.repeat(4400) });
    await ask(contact.relay, { ...message, to: { ...to, uid: caller.uid, emailVerified: true } });
  }
  const listed = new Set<string>();
  let after: { receivedAt: string; id: string } | undefined;
  do {
    const { items } = await ask(contact.listReceived, after ? { after } : {}, caller);
    for (const { id } of items) listed.add(id);
    const last = items.at(-1);
    after =
      items.length < limits.messagesPage ? undefined : last && { receivedAt: last.receivedAt, id: last.id };
  } while (after);
  expect(listed.size).toBe(sent);
});
