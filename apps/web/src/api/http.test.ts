import { afterEach, expect, jest, test } from '@jest/globals';
import { fakeApi, problem } from '../testing.tsx';
import { ApiError, call, isTransient, setTokenSource } from './http.ts';

afterEach(() => setTokenSource(undefined));

test('a refused token is renewed once, and the call made again', async () => {
  const renew = jest.fn(async () => 'new');
  setTokenSource({ token: async () => 'old', renew });
  const answers = [problem(401, 'unauthenticated'), Response.json({ fine: true })];
  const asked = fakeApi(() => answers.shift() ?? problem(500, 'internal'));

  await expect(call('GET', '/api/me', { signedIn: true })).resolves.toEqual({ fine: true });
  expect(asked).toHaveLength(2);
  expect(renew).toHaveBeenCalledTimes(1);
});

test('a token that cannot be renewed is the end of the session, without another try', async () => {
  setTokenSource({ token: async () => 'old', renew: async () => undefined });
  const asked = fakeApi(() => problem(401, 'unauthenticated'));

  await expect(call('GET', '/api/me', { signedIn: true })).rejects.toMatchObject({
    reason: 'unauthenticated',
  });
  expect(asked).toHaveLength(1);
});

test('public calls carry no token, so that their answers can be shared', async () => {
  const token = jest.fn(async () => undefined);
  setTokenSource({ token, renew: token });
  fakeApi(() => Response.json({}));
  await call('GET', '/api/creators');
  expect(token).not.toHaveBeenCalled();
});

test('every request names a trace of its own, also the one that gets no answer', async () => {
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

test('no answer at all is a reason of its own', async () => {
  fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ reason: 'unreachable' });
});

test('a call without an answer ends in time, and is not made again unasked', async () => {
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

test('an answer that is no problem document is an internal error', async () => {
  fakeApi(() => new Response('<html>', { status: 502 }));
  await expect(call('GET', '/api/creators')).rejects.toMatchObject({ reason: 'internal' });
});
