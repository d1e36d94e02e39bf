import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { inRepository, startParts, type Parts, waitFor } from '../src/index.ts';
import { signedRequests } from '../src/provision/s3-client.ts';
import { keyTests } from './storage-keys.tests.ts';

let parts: Parts;
beforeAll(async () => {
  // The first run on a machine builds MinIO.
  parts = await startParts({ only: ['minio'] });
}, 600_000);
afterAll(() => parts.stop());

describe('MinIO', () => {
  const asRoot = () => signedRequests(parts.minio.endpoint, parts.minio.root);

  keyTests(() => parts);

  it('allows anonymous requests only to read a public object by its name', async () => {
    const { endpoint } = parts.minio;
    await asRoot()('PUT', '/stoa-public/a.txt', 'text');
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${endpoint}${path}`, { method })).status;

    expect(await status('/stoa-public/a.txt')).toBe(200);
    expect(await status('/stoa-public?list-type=2')).toBe(403);
    expect(await status('/stoa-public/a.txt', 'DELETE')).toBe(403);
    expect(await status('/stoa-files/a.txt')).toBe(403);
    expect(await status('/stoa-staging/a.txt')).toBe(403);
  });

  it('keeps the rules of a bucket that was created during its start', async () => {
    for (let start = 0; start < 3; start += 1) {
      const fresh = await startParts({ only: ['minio'], store: 'minio' });
      try {
        const { endpoint, root } = fresh.minio;
        // Waits until MinIO no longer overwrites its memory with older content of the disk.
        await waitFor(async () => expect((await fetch(`${endpoint}/minio/health/cluster`)).ok).toBe(true));
        const { text } = await signedRequests(endpoint, root)('GET', '/stoa-public?policy');
        expect(text).toContain('s3:GetObject');
      } finally {
        await fresh.stop();
      }
    }
  }, 180_000);

  it('exports every metric that dashboards and alerts use, and none to anonymous requests', async () => {
    const { endpoint, root } = parts.minio;
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const expiry = Math.floor(Date.now() / 1000) + 600;
    const claims = { sub: root.accessKey, iss: 'prometheus', exp: expiry };
    const token = `${encoded({ alg: 'HS512', typ: 'JWT' })}.${encoded(claims)}`;
    const signature = createHmac('sha512', root.secretKey).update(token).digest('base64url');
    await asRoot()('GET', '/stoa-public?list-type=2');
    const ask = (headers: Record<string, string>) =>
      fetch(`${endpoint}/minio/v2/metrics/cluster`, { headers });
    const text = await (await ask({ authorization: `Bearer ${token}.${signature}` })).text();
    const given = new Set([...text.matchAll(/^(minio_\w+)/gm)].map(([, name]) => name));
    const { minio } = parse(
      readFileSync(inRepository('deploy/prometheus/part-metrics.yaml'), 'utf8'),
    ) as Record<string, string[]>;
    expect(minio?.filter((name) => !given.has(name))).toEqual([]);
    expect((await ask({})).status).toBe(403);
  });

  it('allows CORS reads from the site only', async () => {
    const allowed = async (origin: string) => {
      const response = await fetch(`${parts.minio.endpoint}/stoa-public/a.txt`, { headers: { origin } });
      return response.headers.get('access-control-allow-origin');
    };
    expect(await allowed(parts.siteUrl)).toBe(parts.siteUrl);
    expect(await allowed('http://elsewhere.example')).toBeNull();
  });
});
