import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wrk } from '@stoa/system/fetch/load-generator';
import { load } from './load.ts';

describe(`a load by ${wrk() ? 'wrk' : 'autocannon'}`, () => {
  let server: Server;
  let url: string;
  const requests = new Map<string, number>();

  beforeAll(async () => {
    server = createServer((request, response) => {
      const what = `${request.method} ${request.url} ${request.headers['x-mark'] ?? ''}`.trim();
      requests.set(what, (requests.get(what) ?? 0) + 1);
      response.statusCode = request.url === '/refused' ? 503 : 200;
      response.end(JSON.stringify({ traceId: String(Math.random()), title: 'Not "now"' }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends requests in order, with their headers and bodies', async () => {
    let count = 0;
    const next = () => {
      count += 1;
      return count % 2
        ? { method: 'GET' as const, path: '/one', headers: { 'x-mark': 'a' } }
        : { method: 'PUT' as const, path: '/two', body: 'Größe' };
    };
    const turn = await load({ url, next }, 1, 1);
    expect(turn).toMatchObject({ failed: 0, failures: new Map() });
    expect(turn.perSecond).toBeGreaterThan(0);
    expect([...requests.keys()].toSorted()).toEqual(['GET /one a', 'PUT /two']);
    expect(Math.abs((requests.get('GET /one a') ?? 0) - (requests.get('PUT /two') ?? 0))).toBeLessThanOrEqual(
      1,
    );
  });

  it('counts failures by their text, without variable parts, if the side explains them', async () => {
    const side = { url, next: () => ({ method: 'GET' as const, path: '/refused' }) };
    const short = await load(side, 2, 1);
    expect(short.failed).toBeGreaterThan(0);
    const { failed, failures } = await load({ ...side, explains: true }, 2, 1);
    expect([...failures.keys()]).toEqual([`503 ${JSON.stringify({ title: 'Not "now"' })}`]);
    expect(failures.get([...failures.keys()][0] ?? '')).toBeGreaterThanOrEqual(failed - 2);
  });
});
