import { expect, test } from '@jest/globals';
import { composeMail, headerText } from './mail-message.ts';

const site = new URL('https://stoa.example');
const encoded = '=?utf-8?b?DQpCY2M6IGFsbEBleGFtcGxlLnRlc3Q=?=';
const message = {
  id: crypto.randomUUID(),
  name: 'Ann',
  email: 'ann@example.com',
  subject: encoded,
  message: encoded,
};
const mailbox = {
  ...{ uid: crypto.randomUUID(), username: 'ada', displayName: encoded },
  ...{ email: 'ada@example.com', emailVerified: true },
};

test.each([
  ['the operator', 'operator@example.com'],
  ['a creator', mailbox],
])('a subject to %s contains no encoded word that mail programs decode [contact-5]', (_, recipient) => {
  const mail = composeMail(recipient as typeof mailbox, message, site);
  expect(JSON.stringify([mail.subject, mail.to])).not.toContain('=?');
  // Only headers are changed; the text of the message may contain `=?`.
  expect(mail.text).toContain(encoded);
});

test('a mail greets a creator by display name, and the operator not at all [contact-6]', () => {
  const greeted = (displayName: string) => composeMail({ ...mailbox, displayName }, message, site).text;
  expect(greeted('Ada')).toMatch(/^Hello Ada,\n\nAnn <ann@example\.com> wrote to you/);
  for (const name of [
    'http://evil.example',
    'Win at evil.example',
    'Ada\nBcc: all@evil.example',
    'a'.repeat(100),
    '',
  ])
    expect(greeted(name)).toMatch(/^Hello,\n\nAnn /);
  expect(composeMail('operator@example.com', message, site).text).not.toContain('Hello');
});

test.each(['=?', '==??', '=?a?q?=0D=0A?==?b?q?x?='])(
  'the header text of %s begins no encoded word',
  (words) => expect(headerText(words)).not.toContain('=?'),
);
