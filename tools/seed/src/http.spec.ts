import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isTransient, HttpRefusal, send } from './http.ts';

interface Reply {
  status: number;
  headers?: Record<string, string>;
}

const replies: Reply[] = [];
let requests = 0;
const server = createServer((_, response) => {
  const { status, headers } = replies[requests++] ?? { status: 200 };
  response.writeHead(status, headers).end(JSON.stringify({ title: 'No', detail: 'Not now.' }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/thing`;

const answering = (...given: Reply[]) => {
  requests = 0;
  replies.splice(0, replies.length, ...given);
};

afterAll(() => {
  server.close();
});

describe('send', () => {
  it('waits for Retry-After after a 429, even if the request is not repeatable', async () => {
    answering({ status: 429, headers: { 'retry-after': '1' } });
    const began = performance.now();
    await send(url, { method: 'POST', repeatable: false });
    expect(requests).toBe(2);
    expect(performance.now() - began).toBeGreaterThan(950);
  });

  it.each([503, 504])('retries a repeatable request after %i', async (status) => {
    answering({ status });
    await send(url, { repeatable: true });
    expect(requests).toBe(2);
  });

  it('does not retry a request that is not repeatable after a 504', async () => {
    answering({ status: 504 });
    const failure = await send(url, { method: 'POST', repeatable: false }).catch((error: unknown) => error);
    expect(requests).toBe(1);
    expect(isTransient(failure)).toBe(true);
  });

  it('throws the detail of a 400 without a retry', async () => {
    answering({ status: 400 });
    const failure = send(url, { repeatable: true });
    await expect(failure).rejects.toThrow('GET /api/thing was refused with 400: Not now.');
    await expect(failure).rejects.toBeInstanceOf(HttpRefusal);
    expect(requests).toBe(1);
  });
});
