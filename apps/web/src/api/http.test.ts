import { afterEach, expect, jest, test } from '@jest/globals';
import { fakeApi, problem } from '../testing.tsx';
import { ApiError, call, isTransient, setTokenSource } from './http.ts';

afterEach(() => setTokenSource(undefined));

test('a 401 refreshes the token and retries the call once', async () => {
  const renew = jest.fn(async () => 'new');
  setTokenSource({ token: async () => 'old', renew });
  const answers = [problem(401, 'unauthenticated'), Response.json({ fine: true })];
  const asked = fakeApi(() => answers.shift() ?? problem(500, 'internal'));

  await expect(call('GET', '/api/me', { signedIn: true })).resolves.toEqual({ fine: true });
  expect(asked).toHaveLength(2);
  expect(renew).toHaveBeenCalledTimes(1);
});

test.each([202, 204])('an answer %i without a body is a success', async (status) => {
  fakeApi(() => new Response(null, { status }));
  await expect(call('POST', '/api/me/proof-mails')).resolves.toBeUndefined();
});

test('a failed token refresh ends the session without a retry', async () => {
  setTokenSource({ token: async () => 'old', renew: async () => undefined });
  const asked = fakeApi(() => problem(401, 'unauthenticated'));

  await expect(call('GET', '/api/me', { signedIn: true })).rejects.toMatchObject({
    reason: 'unauthenticated',
  });
  expect(asked).toHaveLength(1);
});

test('public calls carry no token, so that their responses can be cached', async () => {
  const token = jest.fn(async () => undefined);
  setTokenSource({ token, renew: token });
  fakeApi(() => Response.json({}));
  await call('GET', '/api/creators');
  expect(token).not.toHaveBeenCalled();
});

test('every request has a traceparent of its own, failed ones included', async () => {
  const asked = fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  const failures = [
    await call('GET', '/api/creators').catch((error: unknown) => error),
    await call('GET', '/api/creators').catch((error: unknown) => error),
  ];
  const named = asked.map(({ headers }) => headers.get('traceparent'));
  expect(named[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(named[1]).not.toBe(named[0]);
  expect(failures.map((failure) => (failure as ApiError).traceId)).toEqual(
    named.map((value) => value?.split('-')[1]),
  );
});

test('a network failure has its own reason', async () => {
  fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ reason: 'unreachable' });
});

test('a call times out and is not retried', async () => {
  const asked = fakeApi(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  const failure = await call('GET', '/api/creators', { longestMs: 50 }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'late' });
  expect((failure as ApiError).traceId).toBeDefined();
  expect(isTransient(failure)).toBe(false);
  expect(asked).toHaveLength(1);
});

test('a call that says nothing else ends after 15 s', async () => {
  const ends: number[] = [];
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    ends.push(ms);
    return AbortSignal.abort(new DOMException('', 'TimeoutError'));
  });
  fakeApi(() => Response.json({}));
  await expect(call('GET', '/api/creators')).rejects.toMatchObject({ reason: 'late' });
  timeout.mockRestore();
  expect(ends).toEqual([15_000]);
});

test('an error without problem details is an internal error', async () => {
  fakeApi(() => new Response('<html>', { status: 502 }));
  await expect(call('GET', '/api/creators')).rejects.toMatchObject({ reason: 'internal' });
});
