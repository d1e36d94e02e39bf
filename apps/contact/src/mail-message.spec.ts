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
])('a subject to %s holds no word that a mail program would decode', (_, recipient) => {
  const mail = composeMail(recipient as typeof mailbox, message, site);
  expect(JSON.stringify([mail.subject, mail.to])).not.toContain('=?');
  // The body is no header, and stays as it was written.
  expect(mail.text).toContain(encoded);
});

test.each(['=?', '==??', '=?a?q?=0D=0A?==?b?q?x?='])(
  '%s is no longer the beginning of such a word',
  (words) => expect(headerText(words)).not.toContain('=?'),
);
