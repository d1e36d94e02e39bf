import { contact, identity, limits, type RelayedMessage } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  makeRelayedMessage,
  randomIpAddress,
  type ContactUnderTest,
  startContact,
} from '../contact-under-test.ts';

let started: ContactUnderTest;
let service: ServiceUnderTest;

beforeAll(async () => {
  started = await startContact();
  ({ service } = started);
});
afterAll(() => started.stop());

const mailsAbout = (subject: string) => started.mail.received.filter((mail) => mail.includes(subject));
const unproved = (mailbox = {}) => makeRelayedMessage({}, { emailVerified: false, ...mailbox });
const prove = (uid: string, email: string, at = new Date()) =>
  service.announce(identity.emailVerified, { uid, email, at: at.toISOString() });
const heldFor = async (uid: string) => (await service.ask(contact.countHeld, {}, makeCaller({ uid }))).count;

test('messages to an unverified address are held, not mailed', async () => {
  const { to, ...first } = unproved();
  const messages = Array.from({ length: 20 }, () => ({ ...unproved(), to }));
  for (const message of [{ ...first, to }, ...messages]) {
    await expect(service.ask(contact.relay, message)).resolves.toEqual({ id: message.id });
  }
  const proved = makeRelayedMessage();
  await service.ask(contact.relay, proved);
  await waitFor(() => expect(mailsAbout(proved.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(to.email)).toHaveLength(0);
  expect(await heldFor(to.uid)).toBe(21);
});

test('held messages are mailed once the address is verified, to that address', async () => {
  const message = unproved();
  const { uid } = message.to;
  await service.ask(contact.relay, message);
  await prove(uid, 'proved@example.test');
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)[0]).toContain('<proved@example.test>');
  expect(await heldFor(uid)).toBe(0);
});

test('a message is mailed when contact has seen the verification before creators', async () => {
  const earlier = unproved();
  const { to } = earlier;
  await service.ask(contact.relay, earlier);
  await prove(to.uid, to.email);
  await waitFor(() => expect(mailsAbout(earlier.subject)).toHaveLength(1), { timeout: 10_000 });
  const later = { ...unproved(), to };
  await service.ask(contact.relay, later);
  await waitFor(() => expect(mailsAbout(later.subject)).toHaveLength(1), { timeout: 10_000 });
});

test('a late event of an older verification changes no address', async () => {
  const { to } = unproved();
  const now = Date.now();
  await prove(to.uid, 'new@example.test', new Date(now));
  await waitFor(async () => expect(await started.provedAddresses(to.uid)).toEqual(['new@example.test']));
  const held = { ...unproved(), to };
  await service.ask(contact.relay, held);
  await prove(to.uid, 'old@example.test', new Date(now - 60_000));
  await prove(to.uid, 'newest@example.test', new Date(now + 1000));
  await waitFor(() => expect(mailsAbout(held.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(held.subject)[0]).toContain('<newest@example.test>');
  expect(await started.provedAddresses(to.uid)).toEqual(['newest@example.test']);
});

test('held messages are limited per creator', async () => {
  const { to } = unproved();
  for (let count = 0; count < limits.heldMessages; count += 1) {
    await service.ask(contact.relay, { ...unproved(), to });
  }
  const refused = service.ask(contact.relay, { ...unproved(), to });
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await heldFor(to.uid)).toBe(limits.heldMessages);
  await expect(service.ask(contact.relay, unproved())).resolves.toBeDefined();
});

test('relayed messages are limited per creator and day', async () => {
  const { to } = makeRelayedMessage();
  for (let count = 0; count < limits.relayedPerDay; count += 1) {
    await service.ask(contact.relay, { ...makeRelayedMessage(), to });
  }
  const refused = service.ask(contact.relay, { ...makeRelayedMessage(), to });
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
});

/**
 * Sends messages from the addresses in turns until the service refuses them. Returns how many it accepted.
 */
async function flood(to: RelayedMessage['to'], addresses: readonly string[]): Promise<number> {
  let taken = 0;
  for (let round = 0; round < limits.contactPerHour; round += 1)
    for (const sender of addresses)
      await service.ask(contact.relay, { ...makeRelayedMessage({ sender, message: randomUUID() }), to }).then(
        () => (taken += 1),
        (error: unknown) => expect(error).toMatchObject({ code: 'rate_limited' }),
      );
  return taken;
}
const addresses = (count: number) => Array.from({ length: count }, randomIpAddress);

test('ten addresses leave room among the held messages [contact-11]', async () => {
  const { to } = unproved();
  expect(await flood(to, addresses(10))).toBeLessThan(limits.heldMessages);
  await expect(service.ask(contact.relay, { ...unproved(), to })).resolves.toBeDefined();
});

test('twenty addresses leave room among the messages of a day [contact-12]', async () => {
  const { to } = makeRelayedMessage();
  expect(await flood(to, addresses(20))).toBeLessThan(limits.relayedPerDay);
  await expect(service.ask(contact.relay, { ...makeRelayedMessage(), to })).resolves.toBeDefined();
});

test('one network has a share, however many of its addresses write [contact-13]', async () => {
  const { to } = unproved();
  const network = randomIpAddress().replace(/\d+$/, '');
  const many = Array.from({ length: 30 }, (_, index) => `${network}${index}`);
  expect(await flood(to, many)).toBe(10);
  await expect(service.ask(contact.relay, { ...unproved(), to })).resolves.toBeDefined();
});
