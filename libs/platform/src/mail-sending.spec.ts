import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { mailLeaseMs, sentInTime } from './mail-sending.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a mail server that comes to no end is given up before another process may send the mail', async () => {
  const given = sentInTime(new Promise(() => undefined)).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(mailLeaseMs - 20_000);
  await expect(given).resolves.toMatchObject({ code: 'ETIMEDOUT' });
});

test('a mail that is taken leaves nothing to wait for', async () => {
  await expect(sentInTime(Promise.resolve('taken'))).resolves.toBe('taken');
  expect(jest.getTimerCount()).toBe(0);
});
