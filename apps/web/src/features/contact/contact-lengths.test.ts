import { ContactMessage } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { tooLong } from './contact-form-extras.tsx';

const message = { name: 'Ada', email: 'ada@example.com', subject: 'Ink', message: 'Hello' };

/** Whether the contract takes this message. */
const isTaken = (values: typeof message) =>
  ContactMessage.safeParse({ id: crypto.randomUUID(), ...values }).success;

// One character of a person, of one and of several code units.
test.each(['x', '😀', '👍🏽'])('the form and the contract count the same characters: %s', (character) => {
  for (const [field, most] of [
    ['name', 100],
    ['subject', 200],
    ['message', 5000],
  ] as const) {
    const [whole, more] = [most, most + 1].map((count) => ({ ...message, [field]: character.repeat(count) }));
    expect([isTaken(whole!), Object.keys(tooLong(whole!))]).toEqual([true, []]);
    expect([isTaken(more!), Object.keys(tooLong(more!))]).toEqual([false, [field]]);
  }
});
