import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { mailLeaseMs, withSendTimeout } from './mail-sending.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('an endless sending is given up before another process may send the mail', async () => {
  const given = withSendTimeout(new Promise(() => undefined)).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(mailLeaseMs - 20_000);
  await expect(given).resolves.toMatchObject({ code: 'ETIMEDOUT' });
});

test('an accepted mail leaves no timer behind', async () => {
  await expect(withSendTimeout(Promise.resolve('taken'))).resolves.toBe('taken');
  expect(jest.getTimerCount()).toBe(0);
});
