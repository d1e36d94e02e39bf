import { contact, identity } from '@stoa/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCaller, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import {
  makeMessage,
  makeRelayedMessage,
  type ContactUnderTest,
  startContact,
} from './contact-under-test.ts';

let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact();
});
afterAll(() => started.stop());

test('closing an account deletes every message to it, held or mailed, and no other', async () => {
  const { service, mail, stored } = started;
  const mailed = makeRelayedMessage();
  await service.ask(contact.relay, mailed);
  await waitFor(async () => expect(mail.received.some((text) => text.includes(mailed.subject))).toBe(true));
  mail.refuse(true);
  const waiting = makeRelayedMessage({}, mailed.to);
  const others = [makeRelayedMessage(), makeMessage()] as const;
  await service.ask(contact.relay, waiting);
  await service.ask(contact.relay, others[0]);
  await service.ask(contact.send, others[1]);

  await service.announce(identity.closed, { uid: mailed.to.uid, at: new Date().toISOString() });
  await waitFor(async () => expect(await stored([mailed.id, waiting.id])).toEqual([]));
  expect(await stored(others.map(({ id }) => id))).toHaveLength(2);
  // After two more refusals, no attempt that began before the closure can still be running.
  const refused = mail.refused;
  await waitFor(async () => expect(mail.refused).toBeGreaterThan(refused + 1), { timeout: 10_000 });
  mail.refuse(false);
  // The queue mails in order. When this later message arrives, the queue has already skipped the deleted one.
  await waitFor(
    async () => expect(mail.received.some((text) => text.includes(others[1].subject))).toBe(true),
    { timeout: 10_000 },
  );
  expect(mail.received.some((text) => text.includes(waiting.subject))).toBe(false);
});

test('closing an account deletes the messages by its proved address, and announces how many', async () => {
  const { service, stored } = started;
  const uid = randomUUID();
  const email = `writer_${uid}@example.test`;
  const toThem = makeRelayedMessage({}, { uid, emailVerified: false });
  const byThem = [makeMessage({ email }), makeRelayedMessage({ email: email.toUpperCase() })] as const;
  // `_` is a wildcard in SQL patterns. These two addresses match as a pattern and must stay.
  const byOthers = [`x${email}`, email.replace('_', '.')].map((other) => makeMessage({ email: other }));
  await service.ask(contact.relay, toThem);
  await service.ask(contact.send, byThem[0]);
  await service.ask(contact.relay, byThem[1]);
  for (const message of byOthers) await service.ask(contact.send, message);
  const at = new Date().toISOString();

  // This account has proved no address, so its closure deletes no messages.
  const claimant = randomUUID();
  await service.announce(identity.closed, { uid: claimant, at });
  const nothing = await service.events.next(contact.erased, (facts) => facts.uid === claimant);
  expect(nothing.counts).toEqual({ messagesReceived: 0, messagesSent: 0 });
  expect(await stored(byThem.map(({ id }) => id))).toHaveLength(2);

  await service.announce(identity.emailVerified, { uid, email, at });
  const held = () => service.ask(contact.countHeld, {}, makeCaller({ uid }));
  await waitFor(async () => expect(await held()).toEqual({ count: 0 }));
  await service.announce(identity.closed, { uid, at });
  const erased = await service.events.next(contact.erased, (facts) => facts.uid === uid);
  expect(erased.counts).toEqual({ messagesReceived: 1, messagesSent: 2 });
  expect(await stored([toThem, ...byThem].map(({ id }) => id))).toEqual([]);
  expect(await stored(byOthers.map(({ id }) => id))).toHaveLength(2);
});

test('a verification that arrives after the closure stores no address', async () => {
  const { service, provedAddresses } = started;
  const [closed, open] = [randomUUID(), randomUUID()];
  const at = new Date().toISOString();
  const prove = (uid: string) =>
    service.announce(identity.emailVerified, { uid, email: `${uid}@example.test`, at });
  await prove(closed);
  await waitFor(async () => expect(await provedAddresses(closed)).toHaveLength(1));
  await service.announce(identity.closed, { uid: closed, at });
  await service.events.next(contact.erased, (facts) => facts.uid === closed);

  await prove(closed);
  // One consumer handles both events in order, so the second effect proves that the first event was handled.
  await prove(open);
  await waitFor(async () => expect(await provedAddresses(open)).toHaveLength(1));
  expect(await provedAddresses(closed)).toEqual([]);
});

test('a message to a closed account is refused and stores nothing', async () => {
  const { service, stored } = started;
  const { to, ...first } = makeRelayedMessage();
  const later = makeMessage();
  await service.ask(contact.relay, { ...first, to });
  await service.announce(identity.closed, { uid: to.uid, at: new Date().toISOString() });
  await service.events.next(contact.erased, (facts) => facts.uid === to.uid);

  // The gateway may have read the mailbox just before the closure. It may also repeat the first message.
  for (const message of [first, later])
    await expect(service.ask(contact.relay, { ...message, to })).rejects.toMatchObject({ code: 'not_found' });
  expect(await stored([first.id, later.id])).toEqual([]);
});

test('a repeated closure counts nothing', async () => {
  const { service } = started;
  const { to, ...message } = makeRelayedMessage();
  await service.ask(contact.relay, { ...message, to });
  const { uid } = to;
  const close = () => service.announce(identity.closed, { uid, at: new Date().toISOString() });
  await close();
  await close();
  const words = () => service.events.all(contact.erased).filter((facts) => facts.uid === uid);
  await waitFor(() => expect(words()).toHaveLength(2));
  expect(words().map(({ counts }) => counts.messagesReceived)).toEqual([1, 0]);
});
