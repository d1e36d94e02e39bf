import { Logger } from '@nestjs/common';
import { contact } from '@stoa/contracts';
import { requestSubjects, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ContactUnderTest } from './contact-under-test.ts';
import type { MailServer } from './mail-server.ts';

const telemetry = await import('@stoa/telemetry');
const { metrics } = telemetry;
const count = jest.fn(telemetry.count);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, count }));
const { aMessage, aRelayedMessage, startContact } = await import('./contact-under-test.ts');

let started: ContactUnderTest;
let service: ServiceUnderTest;
let mail: MailServer;

beforeAll(async () => {
  started = await startContact();
  ({ service, mail } = started);
});
afterAll(() => started.stop());

const mailsAbout = (subject: string) => mail.received.filter((received) => received.includes(subject));

test('every request of the contract has its handler here', () => {
  expect(service.handled()).toEqual(requestSubjects(contact));
});

test('a message reaches the operator, who can answer its sender', async () => {
  const message = aMessage();
  await service.ask(contact.send, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [received] = mailsAbout(message.subject);
  expect(received).toContain('To: operator@stoa.test');
  expect(received).toContain('Reply-To: Ama Visitor <ama@example.test>');
});

test('a message sent twice is mailed once', async () => {
  const message = aMessage();
  const other = aMessage();
  await Promise.all([service.ask(contact.send, message), service.ask(contact.send, message)]);
  await service.ask(contact.send, other);
  await waitFor(() => expect(mailsAbout(other.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)).toHaveLength(1);
});

test('a message is counted as received once, however often it is sent', async () => {
  const received = () => count.mock.calls.filter(([metric]) => metric === metrics.contactReceived);
  const [message, relayed] = [aMessage(), aRelayedMessage()];
  const before = received().length;
  await Promise.all([service.ask(contact.send, message), service.ask(contact.send, message)]);
  await service.ask(contact.relay, relayed);
  await service.ask(contact.relay, relayed);
  expect(received()).toHaveLength(before + 2);
});

test('a mail server that is down loses nothing: the message goes out when it is back', async () => {
  const message = aMessage();
  mail.refuse(true);
  await expect(service.ask(contact.send, message)).resolves.toEqual({ id: message.id });
  await waitFor(() => expect(mail.refused).toBeGreaterThan(0), { timeout: 10_000 });
  mail.refuse(false);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 15_000 });
});

test('a relayed message reaches the creator, who can answer its sender', async () => {
  const message = aRelayedMessage();
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [received = ''] = mailsAbout(message.subject);
  expect(received).toMatch(new RegExp(`^To: =\\?UTF-8\\?\\S+\\?= <${message.to.email}>\\r$`, 'm'));
  expect(received).toContain('Reply-To: Ama Visitor <ama@example.test>');
  expect(received).toContain('Your own address was not shown to them.');
  expect(received).not.toContain('operator@stoa.test');
});

test('a relayed message sent twice is mailed once', async () => {
  const message = aRelayedMessage();
  const other = aRelayedMessage();
  await Promise.all([service.ask(contact.relay, message), service.ask(contact.relay, message)]);
  await service.ask(contact.relay, other);
  await waitFor(() => expect(mailsAbout(other.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)).toHaveLength(1);
});

test('a creator whose mailbox is gone holds up nobody', async () => {
  const lost = aRelayedMessage();
  mail.unknown.add(lost.to.email);
  await service.ask(contact.relay, lost);
  const message = aRelayedMessage();
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  mail.unknown.delete(lost.to.email);
  await waitFor(() => expect(mailsAbout(lost.subject)).toHaveLength(1), { timeout: 10_000 });
});

test('a mail server that names whom it puts off is not quoted in the log', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const message = aRelayedMessage();
  mail.greylisted.add(message.to.email);
  await service.ask(contact.relay, message);
  const said = () =>
    warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(message.id));
  await waitFor(() => expect(said()).not.toEqual([]), { timeout: 10_000 });
  mail.greylisted.delete(message.to.email);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(said()[0]).toBe(`message ${message.id} waits, attempt 1: Error: mail not taken EENVELOPE 450`);
  expect(JSON.stringify(warn.mock.calls)).not.toContain(message.to.email);
  warn.mockRestore();
});

test('a name that holds header lines adds no header to a relayed mail', async () => {
  const message = aRelayedMessage({}, { displayName: 'Eve\r\nBcc: all@example.test' });
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [headers = ''] = mailsAbout(message.subject)[0]!.split('\r\n\r\n');
  expect(headers).not.toMatch(/^Bcc:/m);
});

test.each([
  ['name', { name: 'Eve\r\nBcc: all@example.test' }],
  ['subject', { subject: 'Hi\nBcc: all@example.test' }],
  ['email', { email: 'eve@example.test\r\nBcc: all@example.test' }],
  ['email', { email: 'not an address' }],
  ['message', { message: '  ' }],
] as const)('a message with a bad %s is refused', async (field, change) => {
  const problem = { code: 'invalid_input', fields: [{ field }] };
  await expect(service.ask(contact.send, aMessage(change))).rejects.toMatchObject(problem);
  await expect(service.ask(contact.relay, aRelayedMessage(change))).rejects.toMatchObject(problem);
});
