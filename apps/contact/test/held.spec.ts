import { contact, identity, limits } from '@stoa/contracts';
import { aCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aRelayedMessage, type ContactUnderTest, startContact } from './contact-under-test.ts';

let started: ContactUnderTest;
let service: ServiceUnderTest;

beforeAll(async () => {
  started = await startContact();
  ({ service } = started);
});
afterAll(() => started.stop());

const mailsAbout = (subject: string) => started.mail.received.filter((mail) => mail.includes(subject));
const unproved = (mailbox = {}) => aRelayedMessage({}, { emailVerified: false, ...mailbox });
const prove = (uid: string, email: string) =>
  service.announce(identity.emailVerified, { uid, email, at: new Date().toISOString() });
const heldFor = async (uid: string) => (await service.ask(contact.countHeld, {}, aCaller({ uid }))).count;

test('an address that nobody has proved gets no mail, however many write to it', async () => {
  const { to, ...first } = unproved();
  const messages = Array.from({ length: 20 }, () => ({ ...unproved(), to }));
  for (const message of [{ ...first, to }, ...messages]) {
    await expect(service.ask(contact.relay, message)).resolves.toEqual({ id: message.id });
  }
  const proved = aRelayedMessage();
  await service.ask(contact.relay, proved);
  await waitFor(() => expect(mailsAbout(proved.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(to.email)).toHaveLength(0);
  expect(await heldFor(to.uid)).toBe(21);
});

test('what waited goes out when the address is proved, to the address that was', async () => {
  const message = unproved();
  const { uid } = message.to;
  await service.ask(contact.relay, message);
  await prove(uid, 'proved@example.test');
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)[0]).toContain('<proved@example.test>');
  expect(await heldFor(uid)).toBe(0);
});

test('a proof that creators has not heard of yet holds nothing up', async () => {
  const earlier = unproved();
  const { to } = earlier;
  await service.ask(contact.relay, earlier);
  await prove(to.uid, to.email);
  await waitFor(() => expect(mailsAbout(earlier.subject)).toHaveLength(1), { timeout: 10_000 });
  const later = { ...unproved(), to };
  await service.ask(contact.relay, later);
  await waitFor(() => expect(mailsAbout(later.subject)).toHaveLength(1), { timeout: 10_000 });
});

test('so many wait for one creator and no more', async () => {
  const { to } = unproved();
  for (let count = 0; count < limits.heldMessages; count += 1) {
    await service.ask(contact.relay, { ...unproved(), to });
  }
  const refused = service.ask(contact.relay, { ...unproved(), to });
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await heldFor(to.uid)).toBe(limits.heldMessages);
  await expect(service.ask(contact.relay, unproved())).resolves.toBeDefined();
});

test('so many messages a day are mailed on to one creator', async () => {
  const { to } = aRelayedMessage();
  for (let count = 0; count < limits.relayedPerDay; count += 1) {
    await service.ask(contact.relay, { ...aRelayedMessage(), to });
  }
  const refused = service.ask(contact.relay, { ...aRelayedMessage(), to });
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
});
