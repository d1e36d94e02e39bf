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

/** An answer whose body begins and then goes on as `go` has it. */
const answerThat = (go: (body: ReadableStreamDefaultController<Uint8Array>) => void, status = 200) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(body) {
        body.enqueue(new TextEncoder().encode('{"items": ['));
        go(body);
      },
    }),
    { status },
  );

test('a body that stalls ends as late, like a call without an answer', async () => {
  fakeApi(({ signal }) =>
    answerThat((body) => signal?.addEventListener('abort', () => body.error(signal.reason))),
  );
  await expect(call('GET', '/api/creators', { longestMs: 50 })).rejects.toMatchObject({ reason: 'late' });
});

test('a body that breaks off is a failure of the network, which is worth another try', async () => {
  fakeApi(() => answerThat((body) => body.error(new TypeError('network error'))));
  const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'unreachable', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(isTransient(failure)).toBe(true);
});

test.each(['<html>Log in to the hotel</html>', '{"items": ['])(
  'a body that is no JSON is a failure with its trace: %s',
  async (text) => {
    fakeApi(() => new Response(text));
    const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'internal', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  },
);

test('a refusal whose words break off keeps the reason of its status', async () => {
  fakeApi(() => answerThat((body) => body.error(new TypeError('network error')), 401));
  await expect(call('GET', '/api/me')).rejects.toMatchObject({ reason: 'unauthenticated' });
});

test('a page that is left while the body comes gets the abort and no problem', async () => {
  const left = new AbortController();
  fakeApi(({ signal }) =>
    answerThat((body) => {
      signal?.addEventListener('abort', () => body.error(signal.reason));
      setTimeout(() => left.abort());
    }),
  );
  await expect(call('GET', '/api/creators', { signal: left.signal })).rejects.toHaveProperty(
    'name',
    'AbortError',
  );
});

test('without a network there was no request, and so there is no trace to look for', async () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  await expect(call('GET', '/api/creators')).rejects.toMatchObject({
    reason: 'unreachable',
    traceId: undefined,
  });
});
