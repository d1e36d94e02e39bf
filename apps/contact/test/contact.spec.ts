import { contact, type ContactMessage } from '@stoa/contracts';
import { requestSubjects, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ContactModule } from '../src/contact.module.ts';
import { MailServer } from './mail-server.ts';

let service: ServiceUnderTest;
let mail: MailServer;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startServiceUnderTest(ContactModule, {
    service: 'contact',
    folder: new URL('../', import.meta.url),
    environment: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Stoa <no-reply@stoa.test>',
      OPERATOR_EMAIL: 'operator@stoa.test',
      MAIL_RETRY_MS: '50',
    },
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const aMessage = (changes: Partial<ContactMessage> = {}): ContactMessage => ({
  id: crypto.randomUUID(),
  name: 'Ama Visitor',
  email: 'ama@example.test',
  subject: `Question ${crypto.randomUUID()}`,
  message: 'How do I start?\nThank you.',
  ...changes,
});

const mailsAbout = (subject: string) => mail.received.filter((received) => received.includes(subject));

test('every request of the contract has its handler here', () => {
  expect(service.handled()).toEqual(requestSubjects(contact));
});

test('a message reaches the operator, who can answer its sender', async () => {
  const message = aMessage();
  await service.ask(contact.send, message);
  await vi.waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), 10_000);
  const [received] = mailsAbout(message.subject);
  expect(received).toContain('To: operator@stoa.test');
  expect(received).toContain('Reply-To: Ama Visitor <ama@example.test>');
});

test('a message sent twice is mailed once', async () => {
  const message = aMessage();
  const other = aMessage();
  await Promise.all([service.ask(contact.send, message), service.ask(contact.send, message)]);
  await service.ask(contact.send, other);
  await vi.waitFor(() => expect(mailsAbout(other.subject)).toHaveLength(1), 10_000);
  expect(mailsAbout(message.subject)).toHaveLength(1);
});

test('a mail server that is down loses nothing: the message goes out when it is back', async () => {
  const message = aMessage();
  mail.refuse(true);
  await expect(service.ask(contact.send, message)).resolves.toEqual({ id: message.id });
  await vi.waitFor(() => expect(mail.refused).toBeGreaterThan(0), 10_000);
  mail.refuse(false);
  await vi.waitFor(() => expect(mailsAbout(message.subject)).toHaveLength(1), 15_000);
});

test.for([
  ['name', { name: 'Eve\r\nBcc: all@example.test' }],
  ['subject', { subject: 'Hi\nBcc: all@example.test' }],
  ['email', { email: 'eve@example.test\r\nBcc: all@example.test' }],
  ['email', { email: 'not an address' }],
  ['message', { message: '  ' }],
] as const)('a message with a bad %s is refused', async ([field, change]) => {
  const refused = service.ask(contact.send, aMessage(change));
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] });
});
