import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { boundedClient } from '../src/backup/bounded-client.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { inRepository, type Parts, startParts } from '../src/index.ts';

const mebibyte = 1024 * 1024;
/** Below the memory of the Job's container (768 Mi); eight objects of the test in memory would exceed it. */
const mostResidentKb = 600 * 1024;
/** Each command starts a process, and some of the objects are large. */
const patienceMs = 240_000;

let stores: Record<'minio' | 'versitygw', Parts>;
beforeAll(async () => {
  // The first run builds both stores.
  const [minio, versitygw] = await Promise.all([
    startParts({ only: ['minio'], store: 'minio' }),
    startParts({ only: ['minio'], store: 'versitygw' }),
  ]);
  stores = { minio, versitygw };
}, 600_000);
afterAll(() => Promise.all(Object.values(stores).map((parts) => parts.stop())));

const printsMemory = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => console.log('resident ' + process.resourceUsage().maxRSS))",
)}`;

/** Runs the command of the Job's container, with the installation's own store as the source. */
function start({ minio: from }: Parts, { minio: to }: Parts, args: string[], address = to.endpoint) {
  const command = ['tools/stack/src/main.ts', 'copy-objects', '--to', address, ...args];
  return spawn(process.execPath, ['--import', printsMemory, ...command], {
    cwd: inRepository(),
    env: {
      HOME: tmpdir(),
      PATH: process.env['PATH'],
      NATS_PROVISION_PASSWORD: 'unused',
      S3_ENDPOINT: from.endpoint,
      MINIO_ROOT_USER: from.root.accessKey,
      MINIO_ROOT_PASSWORD: from.root.secretKey,
      COPY_TO_ACCESS_KEY: to.root.accessKey,
      COPY_TO_SECRET_KEY: to.root.secretKey,
    },
  });
}

async function ended(child: ChildProcess) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, residentKb: Number(/^resident (\d+)$/m.exec(output)?.[1]) };
}

const copy = (from: Parts, to: Parts, ...args: string[]) => ended(start(from, to, args));
const summary = (same: number, copied: number, replaced = 0) =>
  `${same} unchanged, ${copied} copied, ${replaced} copied again, 0 still differ, 0 removed during the run, 0 only in the target`;

async function empty(parts: Parts): Promise<void> {
  const client = storeClient(parts.minio);
  for (const bucket of Object.values(parts.minio.buckets))
    for await (const { name } of client.listObjectsV2(bucket, '', true))
      if (name) await client.removeObject(bucket, name);
}

/** Uploads an object as media does, in parts if it is large. */
const putIn = (
  { minio: { endpoint, root } }: Parts,
  bucket: string,
  key: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
) =>
  boundedClient({ endpoint, region: 'us-east-1', ...root, partSize: 8 * mebibyte }).putObject(
    bucket,
    key,
    bytes,
    bytes.length,
    headers,
  );

/** The content and headers that a reader gets. */
async function read(parts: Parts, bucket: string, key: string) {
  const client = storeClient(parts.minio);
  const { metaData, size, lastModified } = await client.statObject(bucket, key);
  const chunks: Buffer[] = [];
  for await (const chunk of await client.getObject(bucket, key)) chunks.push(chunk as Buffer);
  const kept = Object.entries(metaData as Record<string, string>).filter(([name]) => !/^x-amz-/.test(name));
  return { headers: Object.fromEntries(kept), size, bytes: Buffer.concat(chunks), lastModified };
}

/** A proxy to a store that forwards this number of bytes and then goes silent. */
async function narrowWay(endpoint: string, bytes: number) {
  const { hostname, port } = new URL(endpoint);
  const held = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let left = bytes;
  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    sockets.push(client, target);
    for (const socket of [client, target]) socket.on('error', () => socket.destroy());
    target.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      left -= chunk.length;
      if (left > 0) return void target.write(chunk);
      client.pause();
      held.resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: held.promise,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.each([
  ['minio', 'versitygw'],
  ['versitygw', 'minio'],
] as const)('copy-objects from %s to %s', (source, target) => {
  let from: Parts;
  let to: Parts;
  const {
    public: pictures,
    files,
    staging,
  } = {
    public: 'stoa-public',
    files: 'stoa-files',
    staging: 'stoa-staging',
  };
  beforeEach(async () => {
    [from, to] = [stores[source], stores[target]];
    await Promise.all([empty(from), empty(to)]);
  }, patienceMs);

  const put = (bucket: string, key: string, bytes: Buffer, headers: Record<string, string> = {}) =>
    putIn(from, bucket, key, bytes, headers);

  it(
    'keeps bytes, content type, cache rules and metadata, and sends nothing a second time',
    async () => {
      await put(pictures, 'profile_pictures/a/b/96.webp', randomBytes(1000), {
        'Content-Type': 'image/webp',
        'Cache-Control': 'public, max-age=31536000, immutable',
      });
      await put(files, 'offering_files/a/b', randomBytes(20 * mebibyte), {
        'Content-Type': 'application/epub+zip',
        'Content-Disposition': 'attachment; filename="guide.epub"',
        'X-Amz-Meta-Made-By': 'somebody',
      });
      await put(files, 'offering_files/a/empty', Buffer.alloc(0), { 'Content-Type': 'text/plain' });
      await put(staging, 'with a space/ü&=', Buffer.from('x'));
      const all = [
        [pictures, 'profile_pictures/a/b/96.webp'],
        [files, 'offering_files/a/b'],
        [files, 'offering_files/a/empty'],
        [staging, 'with a space/ü&='],
      ] as const;

      const first = await copy(from, to);
      expect(first).toMatchObject({ code: 0, output: expect.stringContaining(summary(0, 4)) as unknown });
      const copies = await Promise.all(all.map(([bucket, key]) => read(to, bucket, key)));
      for (const [index, [bucket, key]] of all.entries()) {
        const { lastModified: _, bytes, ...original } = await read(from, bucket, key);
        expect(copies[index]).toMatchObject(original);
        expect(copies[index]?.bytes.equals(bytes)).toBe(true);
      }
      const second = await copy(from, to);
      expect(second).toMatchObject({ code: 0, output: expect.stringContaining(summary(4, 0)) as unknown });
      for (const [index, [bucket, key]] of all.entries())
        expect((await read(to, bucket, key)).lastModified).toEqual(copies[index]?.lastModified);
    },
    patienceMs,
  );

  it(
    'finds a copy with other bytes or other headers, and makes it again',
    async () => {
      for (const key of ['bytes', 'headers', 'short', 'whole'])
        await put(files, key, Buffer.from('as it was'), { 'Content-Type': 'text/plain' });
      await copy(from, to);
      const broken = storeClient(to.minio);
      await broken.putObject(files, 'bytes', 'as it wAs', 9, { 'Content-Type': 'text/plain' });
      await broken.putObject(files, 'headers', 'as it was', 9, { 'Content-Type': 'text/html' });
      await broken.putObject(files, 'short', 'as it', 5, { 'Content-Type': 'text/plain' });

      const { code, output } = await copy(from, to);
      expect(code).toBe(0);
      for (const key of ['bytes', 'headers', 'short'])
        expect(output).toContain(`${files}/${key} differed in its copy, which was made again`);
      expect(output).toContain(summary(1, 0, 3));
      for (const key of ['bytes', 'headers', 'short'])
        expect(await read(to, files, key)).toMatchObject({
          bytes: Buffer.from('as it was'),
          headers: { 'content-type': 'text/plain' },
        });
    },
    patienceMs,
  );

  it(
    'names what only the target has, and removes it with --delete',
    async () => {
      await put(pictures, 'kept', Buffer.from('x'));
      await storeClient(to.minio).putObject(pictures, 'left-behind', 'x');
      const first = await copy(from, to);
      expect(first.code).toBe(1);
      expect(first.output).toContain(`${pictures}/left-behind is not in the source\n`);
      const second = await copy(from, to, '--delete');
      expect(second.code).toBe(0);
      expect(second.output).toContain(`${pictures}/left-behind is not in the source, and was removed`);
      expect((await copy(from, to)).output).toContain(summary(1, 0));
    },
    patienceMs,
  );

  it(
    'goes on after it was killed amid a large object, without sending the others again',
    async () => {
      const small = Array.from({ length: 120 }, (_, index) => `p-${String(index).padStart(3, '0')}`);
      for (const key of small) await put(pictures, key, randomBytes(100));
      const large = randomBytes(40 * mebibyte);
      await put(files, 'large', large);

      const way = await narrowWay(to.minio.endpoint, 20 * mebibyte);
      const child = start(from, to, [], way.address);
      const end = ended(child);
      await way.held;
      child.kill('SIGKILL');
      const { output } = await end;
      way.close();
      // Eight concurrent copies: when the hundredth object is finished, at most seven before it are not.
      const after = /verified up to (\S+)/.exec(output)?.[1] ?? '';
      expect(after).toMatch(/^stoa-public\/p-09\d$/);
      const before = await Promise.all(small.map((key) => read(to, pictures, key)));

      const again = await copy(from, to, '--after', after);
      expect(again.code).toBe(0);
      // Objects before `after` are not even compared.
      const compared = small.length - 1 - Number(after.slice(-3));
      expect(again.output).toContain(summary(compared, 1));
      expect((await read(to, files, 'large')).bytes.equals(large)).toBe(true);
      for (const [index, key] of small.entries())
        expect((await read(to, pictures, key)).lastModified).toEqual(before[index]?.lastModified);
      expect((await copy(from, to)).output).toContain(summary(small.length + 1, 0));
    },
    patienceMs,
  );

  it(
    'refuses a target without the buckets, one that is the source, and one without a key',
    async () => {
      const client = storeClient(to.minio);
      await client.removeBucket(staging);
      const lacking = await copy(from, to);
      await client.makeBucket(staging);
      expect(lacking).toMatchObject({ code: 1, output: expect.stringContaining('set-up minio') as unknown });
      expect((await copy(from, from)).output).toContain('name another one to copy to');
      const keyless = { ...to, minio: { ...to.minio, root: { accessKey: '', secretKey: '' } } };
      expect((await copy(from, keyless)).output).toContain('COPY_TO_ACCESS_KEY');
    },
    patienceMs,
  );
});

it(
  'copy-objects needs no more memory for many large objects than its Job has',
  async () => {
    const { minio: from, versitygw: to } = stores;
    await Promise.all([empty(from), empty(to)]);
    const large = randomBytes(64 * mebibyte);
    for (let number = 0; number < 10; number += 1) await putIn(from, 'stoa-files', `large-${number}`, large);
    const { code, output, residentKb } = await copy(from, to);
    expect([code, output]).toEqual([0, expect.stringContaining(summary(0, 10))]);
    expect(residentKb).toBeLessThan(mostResidentKb);
  },
  patienceMs,
);
