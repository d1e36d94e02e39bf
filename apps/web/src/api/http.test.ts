import { afterEach, expect, jest, test } from '@jest/globals';
import { fakeApi, problem } from '../testing/fake-api.ts';
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

test('every request has its own traceparent, failed ones included', async () => {
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

test('a call times out and is not retried [web-1]', async () => {
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

test('a call without its own limit ends after 15 s [web-2]', async () => {
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

/** An answer whose body begins, and continues as `go` writes it. */
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

test('a body that stalls times out like a call without an answer', async () => {
  fakeApi(({ signal }) =>
    answerThat((body) => signal?.addEventListener('abort', () => body.error(signal.reason))),
  );
  await expect(call('GET', '/api/creators', { longestMs: 50 })).rejects.toMatchObject({ reason: 'late' });
});

test('a body that breaks off is a transient network failure', async () => {
  fakeApi(() => answerThat((body) => body.error(new TypeError('network error'))));
  const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'unreachable', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(isTransient(failure)).toBe(true);
});

test.each(['<html>Log in to the hotel</html>', '{"items": ['])(
  'a body that is not JSON is a failure with a trace: %s',
  async (text) => {
    fakeApi(() => new Response(text));
    const failure = await call('GET', '/api/creators').catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'internal', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  },
);

test('a refusal whose body breaks off keeps the reason of its status', async () => {
  fakeApi(() => answerThat((body) => body.error(new TypeError('network error')), 401));
  await expect(call('GET', '/api/me')).rejects.toMatchObject({ reason: 'unauthenticated' });
});

test('leaving the page while the body arrives causes an abort, not a problem', async () => {
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

test('an offline failure has no trace, since no request was sent', async () => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  await expect(call('GET', '/api/creators')).rejects.toMatchObject({
    reason: 'unreachable',
    traceId: undefined,
  });
});

const keyOf = ({ headers }: { headers: Headers }) => headers.get('idempotency-key');
/** A refusal with a `Retry-After` that is short enough for tests. */
const comeAgain = (code: string, status = 503) =>
  new Response(JSON.stringify({ status, code }), { status, headers: { 'retry-after': '0.01' } });
const save = (body: object = { bio: 'Mine.' }, headers?: Record<string, string>) =>
  call('PUT', '/api/me/profile', { body, ...(headers && { headers }) });

test('a write has its own idempotency key, and a read has none', async () => {
  const asked = fakeApi(() => Response.json({}));
  await save();
  await save();
  await call('GET', '/api/me');
  const keys = asked.map(keyOf);
  expect(keys.slice(0, 2)).toEqual([expect.stringMatching(/^[\w-]{16,64}$/), expect.any(String)]);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBeNull();
});

test.each(['unavailable', 'timeout'])(
  'a write refused as %s repeats under its key after Retry-After, at most twice',
  async (code) => {
    const answers = [comeAgain(code), comeAgain(code), Response.json({ fine: true })];
    const asked = fakeApi(() => answers.shift() ?? Response.json({}));
    await expect(save()).resolves.toEqual({ fine: true });
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(keyOf)).size).toBe(1);

    const refused = fakeApi(() => comeAgain(code));
    await expect(save()).rejects.toMatchObject({ reason: code });
    expect(refused).toHaveLength(3);
  },
);

test.each([
  ['a read', () => call('GET', '/api/me'), () => comeAgain('unavailable')],
  ['a write without Retry-After', save, () => problem(503, 'unavailable')],
  ['a write that was refused permanently', save, () => comeAgain('conflict', 409)],
])('%s is not repeated', async (_, write, answer) => {
  const asked = fakeApi(answer);
  await expect(write()).rejects.toBeInstanceOf(ApiError);
  expect(asked).toHaveLength(1);
});

test('a write without an answer keeps its key when the user repeats it [web-116]', async () => {
  const answers = [
    () => {
      throw new TypeError('Failed to fetch');
    },
    () => Response.json({}),
  ];
  const asked = fakeApi(() => answers.shift()?.() ?? Response.json({}));
  await expect(save()).rejects.toMatchObject({ reason: 'unreachable' });
  await save();
  await save();
  const [lost, again, later] = asked.map(keyOf);
  expect(again).toBe(lost);
  expect(later).not.toBe(lost);
});

test('a changed write after one without an answer has its own key', async () => {
  const asked = fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  const edits = [
    save(),
    save({ bio: 'Other.' }),
    save({ bio: 'Mine.' }),
    save({ bio: 'Mine.' }, { 'if-match': '"2"' }),
  ];
  await Promise.allSettled(edits);
  expect(new Set(asked.map(keyOf)).size).toBe(edits.length);
});

test('a write that the user repeats after a minute has a new key', async () => {
  const asked = fakeApi(() => {
    throw new TypeError('Failed to fetch');
  });
  const now = jest.spyOn(Date, 'now');
  await expect(save()).rejects.toBeInstanceOf(ApiError);
  now.mockReturnValue(Date.now() + 61_000);
  await expect(save()).rejects.toBeInstanceOf(ApiError);
  now.mockRestore();
  expect(new Set(asked.map(keyOf)).size).toBe(2);
});
