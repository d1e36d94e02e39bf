import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { mailboxOf, plainAddress } from './email-address.ts';
import { Email } from './fields.ts';
import { mailtoLink } from './mailto.ts';

const { cases } = JSON.parse(readFileSync(new URL('../cases/emails.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly { in: string; kept: string | null; mailto?: string }[];
};

test.each(cases)('the address $in is stored as $kept', ({ in: typed, kept, mailto }) => {
  const { data = null, error } = Email.safeParse(typed);
  expect(data).toBe(kept);
  expect(error?.issues[0]?.message).toBe(kept === null ? 'The email address is not valid.' : undefined);
  expect(Email.safeParse(kept).data ?? null).toBe(kept);
  expect(mailto && mailtoLink(plainAddress(typed))).toBe(mailto);
});

test('an address has at most 254 characters', () => {
  const domain = `${'a'.repeat(60)}.`.repeat(3);
  expect(Email.safeParse(`${'l'.repeat(64)}@${domain}example`).success).toBe(false);
  expect(Email.safeParse(`${'l'.repeat(64)}@${domain}ex`).success).toBe(true);
  expect(Email.safeParse(`${'l'.repeat(65)}@example.com`).success).toBe(false);
  expect(Email.safeParse('').error?.issues[0]?.message).toBe('This field is required.');
});

test('a mailto link encodes a stored address that the rules no longer accept', () => {
  expect(mailtoLink('a?b@bücher.example')).toBe('mailto:a%3Fb@xn--bcher-kva.example');
  expect(mailtoLink('a@b?bcc=c')).toBe('mailto:a@b');
  expect(mailtoLink('a@b c')).toBe('mailto:a@b%20c');
});

test.each([
  ['Ada@Example.TEST', 'ada@example.test'],
  ['ada+shop@example.test', 'ada@example.test'],
  ['ada+a+b@example.test', 'ada@example.test'],
  ['+ada@example.test', '+ada@example.test'],
  ['a.d.a+x@googlemail.com', 'ada@gmail.com'],
  ['a.da@example.test', 'a.da@example.test'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada', 'ada'],
])('%s is counted as the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
