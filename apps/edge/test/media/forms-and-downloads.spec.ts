import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, mediaProxy } from '../proxies-under-test.ts';
import { buckets, grantThrough, links, store, throughProxy } from './store-under-test.ts';

const key = `edge/${randomUUID()}`;

let proxy: FastifyInstance;
let origin: string;
beforeAll(async () => {
  proxy = await mediaProxy().build();
  origin = await listen(proxy);
  await store.putObject(buckets.files, key, 'a sold file');
});
afterAll(async () => {
  await store.removeObject(buckets.files, key);
  await proxy.close();
});

const through = throughProxy(() => origin);
const grant = (size: number) => grantThrough(through, size);
const link = () =>
  links
    .presignedGetObject(buckets.files, key, 60, {
      'response-content-disposition': 'attachment; filename="a.txt"',
    })
    .then(through);

type Entry = [string, unknown];

describe('a form for staging', () => {
  it('stores one file, and a second post is refused and stores nothing', async () => {
    const { url, form } = await grant(10);
    const key = String(form.get('key'));
    const post = () => fetch(url, { method: 'POST', body: form });
    expect((await post()).status).toBe(204);
    await store.removeObject(buckets.staging, key);
    const again = await post();
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ detail: 'This upload form was used. Ask for another one.' });
    await expect(store.statObject(buckets.staging, key)).rejects.toThrow();
  });

  it('may be posted again after the store refused it', async () => {
    const { url, form } = await grant(10);
    const tooLarge = new FormData();
    for (const [name, value] of form) if (name !== 'file') tooLarge.append(name, value);
    tooLarge.append('file', new Blob([Buffer.alloc(11)]));
    expect((await fetch(url, { method: 'POST', body: tooLarge })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
  });

  it('is refused with two keys, with a key in another letter case and with fields after the file', async () => {
    const [used, fresh] = [await grant(10), await grant(10)];
    expect((await fetch(used.url, { method: 'POST', body: used.form })).status).toBe(204);
    await store.removeObject(buckets.staging, String(used.form.get('key')));
    const fields = [...used.form].filter(([name]) => name !== 'file');
    const file: Entry = ['file', new Blob([Buffer.alloc(10)])];
    const freshKey = String(fresh.form.get('key'));
    for (const entries of [
      [['key', freshKey], ...fields, file],
      [['Key', freshKey], ...fields, file],
      [...fields, ['KEY', freshKey], file],
      [['key', freshKey], file, ...fields],
      [file, ...fields],
    ] as Entry[][]) {
      const form = new FormData();
      for (const [name, value] of entries) form.append(name, value as string);
      const answer = await fetch(used.url, { method: 'POST', body: form });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      await expect(store.statObject(buckets.staging, String(used.form.get('key')))).rejects.toThrow();
    }
  });
});

describe('a download', () => {
  it('answers HEAD as GET without a body, and ignores a range in it [edge-5]', async () => {
    for (const range of [undefined, 'bytes=2-4', 'bytes=100-', 'bytes=9-0', 'bytes=-0']) {
      const headers: Record<string, string> = range === undefined ? {} : { range };
      const head = await fetch(await link(), { method: 'HEAD', headers });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe('11');
      expect(head.headers.get('accept-ranges')).toBe('bytes');
      expect(head.headers.get('content-disposition')).toContain('a.txt');
    }
    const unsigned = await fetch(`${origin}/${buckets.files}/${key}`, { method: 'HEAD' });
    expect(unsigned.status).toBe(403);
    expect(
      (await fetch((await link()).replace(/Signature=..../, 'Signature=0000'), { method: 'HEAD' })).status,
    ).toBe(403);
  });

  it('resumes with Range [edge-6]', async () => {
    const get = async (range: string) => fetch(await link(), { headers: { range } });
    const rest = await get('bytes=2-');
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 2-10/11']);
    expect(await rest.text()).toBe('sold file');
    expect(await (await get('bytes=-4')).text()).toBe('file');
  });

  it.each([
    ['bytes=0-99', 'bytes 0-10/11'],
    [`bytes=2-${'9'.repeat(30)}`, 'bytes 2-10/11'],
    ['bytes=-100', 'bytes 0-10/11'],
    [`bytes=-${'9'.repeat(30)}`, 'bytes 0-10/11'],
    ['Bytes=10-10', 'bytes 10-10/11'],
    ['bytes=, 0-3', 'bytes 0-3/11'],
  ])('answers %s with the range %s', async (range, part) => {
    const answer = await fetch(await link(), { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, part]);
  });

  it.each(['bytes=9-0', 'bytes=0-1,3-4', 'bytes= 0-3', 'bytes=0 - 3', 'bytes=-', 'bytes=a-b', 'lines=1-2'])(
    'answers %s with the whole file',
    async (range) => {
      const answer = await fetch(await link(), { headers: { range } });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null]);
      expect(await answer.text()).toBe('a sold file');
    },
  );

  it.each(['bytes=11-', 'bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    'answers %s with 416 and the length of the file',
    async (range) => {
      const { headers } = await fetch(await link(), { method: 'HEAD' });
      for (const more of [{}, { 'if-range': String(headers.get('etag')) }]) {
        const answer = await fetch(await link(), { headers: { range, ...more } });
        expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */11']);
        expect(answer.headers.get('etag')).toBeNull();
        expect(await answer.json()).toMatchObject({ status: 416, title: 'Range Not Satisfiable' });
      }
      const changed = await fetch(await link(), { headers: { range, 'if-range': '"another"' } });
      expect([changed.status, await changed.text()]).toEqual([200, 'a sold file']);
      const forged = (await link()).replace(/Signature=..../, 'Signature=0000');
      expect((await fetch(forged, { headers: { range } })).status).toBe(403);
    },
  );

  it('answers If-Range with the range while the file is unchanged, and with the whole file otherwise', async () => {
    const { headers } = await fetch(await link(), { method: 'HEAD' });
    const [etag, changed] = [String(headers.get('etag')), String(headers.get('last-modified'))];
    const get = async (validator: string) =>
      fetch(await link(), { headers: { range: 'bytes=2-', 'if-range': validator } });
    for (const same of [etag, changed]) {
      const part = await get(same);
      expect([part.status, await part.text()]).toEqual([206, 'sold file']);
    }
    for (const other of ['"another"', `W/${etag}`, new Date(0).toUTCString(), 'nonsense', '2100']) {
      const whole = await get(other);
      expect([whole.status, await whole.text()]).toEqual([200, 'a sold file']);
      expect(whole.headers.get('content-length')).toBe('11');
      expect(whole.headers.get('content-range')).toBeNull();
      expect(whole.headers.get('content-type')).not.toContain('xml');
    }
  });
});
