import { contact, identity } from '@stoa/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@stoa/testing';
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
  // Whatever was on its way when the account was closed has been refused by the second try after that.
  const refused = mail.refused;
  await waitFor(async () => expect(mail.refused).toBeGreaterThan(refused + 1), { timeout: 10_000 });
  mail.refuse(false);
  // The one that waited behind it goes out, so its turn came and there was nothing.
  await waitFor(
    async () => expect(mail.received.some((text) => text.includes(others[1].subject))).toBe(true),
    { timeout: 10_000 },
  );
  expect(mail.received.some((text) => text.includes(waiting.subject))).toBe(false);
});
