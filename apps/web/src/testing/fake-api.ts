export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | null | undefined;
}

type Answer = (asked: RecordedRequest) => Response | Promise<Response>;

/** Replaces the gateway. Returns the log of requests, in order. */
export function fakeApi(answer: Answer): RecordedRequest[] {
  const log: RecordedRequest[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url, location.origin);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const asked = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      headers: new Headers(init.headers),
      body,
      signal: init.signal,
    };
    log.push(asked);
    const response = await answer(asked);
    init.signal?.throwIfAborted();
    return response;
  };
  Object.assign(globalThis, { fetch });
  return log;
}

export function problem(
  status: number,
  code: string,
  errors?: { field: string; message: string }[],
): Response {
  return Response.json({ type: 'about:blank', title: code, status, code, errors }, { status });
}
