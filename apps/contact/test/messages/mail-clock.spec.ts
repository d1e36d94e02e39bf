import { contact } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { type ContactUnderTest, makeMessage, startContact } from '../contact-under-test.ts';

const dayMs = 24 * 60 * 60_000;
const soon = { timeout: 15_000, interval: 50 };

let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact();
});
afterAll(() => started.stop());
afterEach(() => void jest.useRealTimers());

/** Shifts this process's clock, so that it differs from the database's clock. Timers run as usual. */
const moveClock = (byMs: number) =>
  jest.useFakeTimers({
    now: Date.now() + byMs,
    advanceTimers: true,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });

test.each([
  { clock: 'a day ahead', byMs: dayMs },
  { clock: 'a day behind', byMs: -dayMs },
])("a retry is due by the database's clock, with a process clock $clock", async ({ byMs }) => {
  const { service, mail } = started;
  moveClock(byMs);
  const message = makeMessage();
  mail.refuse(true);
  const before = mail.refused;
  await service.ask(contact.send, message);
  await waitFor(() => expect(mail.refused).toBeGreaterThan(before + 1), soon);
  mail.refuse(false);
  const mailed = () => mail.received.filter((received) => received.includes(message.subject));
  await waitFor(() => expect(mailed()).toHaveLength(1), soon);
});
