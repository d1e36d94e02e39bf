import { readFileSync } from 'node:fs';
import { ContactMessage } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { refused } from './contact-form-extras.tsx';

const message = { name: 'Ada', email: 'ada@example.com', subject: 'Ink', message: 'Hello' };

const isTaken = (values: typeof message) =>
  ContactMessage.safeParse({ id: crypto.randomUUID(), ...values }).success;

// One character as people count it, of one or several code units.
test.each(['x', '😀', '👍🏽'])('the form and the contract count the same characters: %s', (character) => {
  for (const [field, most] of [
    ['name', 100],
    ['subject', 200],
    ['message', 5000],
  ] as const) {
    const [whole, more] = [most, most + 1].map((count) => ({ ...message, [field]: character.repeat(count) }));
    expect([isTaken(whole!), Object.keys(refused(whole!))]).toEqual([true, []]);
    expect([isTaken(more!), Object.keys(refused(more!))]).toEqual([false, [field]]);
  }
});

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../../libs/contracts/cases/emails.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly { in: string; kept: string | null }[] };
const longAddress = `${'l'.repeat(64)}@${`${'a'.repeat(60)}.`.repeat(3)}`;

test.each([
  ...cases,
  { in: `${longAddress}ex`, kept: 'itself' },
  { in: `${longAddress}example`, kept: null },
])('the form and the contract accept the same addresses: $in', ({ in: email, kept }) => {
  const errors = refused({ ...message, email });
  expect(errors).toEqual(kept === null ? { email: 'The email address is not valid.' } : {});
  expect(isTaken({ ...message, email })).toBe(kept !== null);
});
