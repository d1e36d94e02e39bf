import { Logger } from '@nestjs/common';
import { contact } from '@stoa/contracts';
import { requestSubjects, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ContactUnderTest } from '../contact-under-test.ts';
import type { MailServer } from '../mail-server.ts';

const telemetry = await import('@stoa/telemetry');
const { metrics } = telemetry;
const count = jest.fn(telemetry.count);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, count }));
const { makeMessage, makeRelayedMessage, startContact } = await import('../contact-under-test.ts');

let started: ContactUnderTest;
let service: ServiceUnderTest;
let mail: MailServer;

beforeAll(async () => {
  started = await startContact();
  ({ service, mail } = started);
});
afterAll(() => started.stop());

const mailsAbout = (subject: string) => mail.received.filter((received) => received.includes(subject));

test('every request of the contract has a handler', () => {
  expect(service.handled()).toEqual(requestSubjects(contact));
});

test('a message is mailed to the operator with Reply-To of its sender', async () => {
  const message = makeMessage();
  await service.ask(contact.send, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [received] = mailsAbout(message.subject);
  expect(received).toContain('To: operator@stoa.test');
  expect(received).toContain('Reply-To: Ama Visitor <ama@example.test>');
});

test('a message sent twice is mailed once (idempotent)', async () => {
  const message = makeMessage();
  const other = makeMessage();
  await Promise.all([service.ask(contact.send, message), service.ask(contact.send, message)]);
  await service.ask(contact.send, other);
  await waitFor(() => expect(mailsAbout(other.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)).toHaveLength(1);
});

test('a message sent repeatedly counts as received once', async () => {
  const received = () => count.mock.calls.filter(([metric]) => metric === metrics.contactReceived);
  const [message, relayed] = [makeMessage(), makeRelayedMessage()];
  const before = received().length;
  await Promise.all([service.ask(contact.send, message), service.ask(contact.send, message)]);
  await service.ask(contact.relay, relayed);
  await service.ask(contact.relay, relayed);
  expect(received()).toHaveLength(before + 2);
});

test('a message is retried after an outage of the mail server', async () => {
  const message = makeMessage();
  mail.refuse(true);
  await expect(service.ask(contact.send, message)).resolves.toEqual({ id: message.id });
  await waitFor(() => expect(mail.refused).toBeGreaterThan(0), { timeout: 10_000 });
  mail.refuse(false);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 15_000 });
});

test('a relayed message is mailed to the creator with Reply-To of its sender', async () => {
  const message = makeRelayedMessage();
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [received = ''] = mailsAbout(message.subject);
  expect(received).toMatch(new RegExp(`^To: =\\?UTF-8\\?\\S+\\?= <${message.to.email}>\\r$`, 'm'));
  expect(received).toContain('Reply-To: Ama Visitor <ama@example.test>');
  expect(received).toContain('From: Stoa <no-reply@stoa.test>');
  expect(received).toContain('Your own address was not shown to them.');
  expect(received).not.toContain('operator@stoa.test');
});

test('a message is mailed as text and as escaped HTML [contact-9]', async () => {
  const message = makeRelayedMessage({ message: '<b onclick=x>Buy</b>' });
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  const [received = ''] = mailsAbout(message.subject);
  const [, plain = '', html = ''] = received.split(/^Content-Type: text\/(?:plain|html)/m);
  // Undoes quoted-printable encoding, which writes `=` as `=3D` and breaks long lines with `=`.
  const words = (part: string) => part.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  expect(words(plain)).toContain('<b onclick=x>Buy</b>');
  expect(words(html)).toContain('&lt;b onclick=x&gt;Buy&lt;/b&gt;');
  expect(words(html)).not.toContain('<b onclick');
});

test('a relayed message sent twice is mailed once (idempotent)', async () => {
  const message = makeRelayedMessage();
  const other = makeRelayedMessage();
  await Promise.all([service.ask(contact.relay, message), service.ask(contact.relay, message)]);
  await service.ask(contact.relay, other);
  await waitFor(() => expect(mailsAbout(other.subject)).toHaveLength(1), { timeout: 10_000 });
  expect(mailsAbout(message.subject)).toHaveLength(1);
});

test('a rejected mailbox does not block other mail', async () => {
  const lost = makeRelayedMessage();
  mail.unknown.add(lost.to.email);
  await service.ask(contact.relay, lost);
  const message = makeRelayedMessage();
  await service.ask(contact.relay, message);
  await waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), { timeout: 10_000 });
  mail.unknown.delete(lost.to.email);
  await waitFor(() => expect(mailsAbout(lost.subject)).toHaveLength(1), { timeout: 10_000 });
});

test('the log redacts the recipient from a reply of the mail server', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const message = makeRelayedMessage();
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

test('line breaks in a name inject no header into a relayed mail [contact-10]', async () => {
  const message = makeRelayedMessage({}, { displayName: 'Eve\r\nBcc: all@example.test' });
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
] as const)('a message with an invalid %s is refused', async (field, change) => {
  const problem = { code: 'invalid_input', fields: [{ field }] };
  await expect(service.ask(contact.send, makeMessage(change))).rejects.toMatchObject(problem);
  await expect(service.ask(contact.relay, makeRelayedMessage(change))).rejects.toMatchObject(problem);
});
