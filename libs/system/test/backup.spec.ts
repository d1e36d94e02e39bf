import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Client } from 'minio';
import pg from 'pg';
import { migrateAll } from '../src/apps/migrate.ts';
import { backUp } from '../src/backup/backup.ts';
import { completeBackupsIn } from '../src/backup/backups.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { bucketPlace } from '../src/backup/bucket-place.ts';
import { folderPlace } from '../src/backup/folder-place.ts';
import { forEachConcurrently } from '../src/backup/for-each-concurrently.ts';
import { restore } from '../src/backup/restore.ts';
import { newKeys, type OpeningKeys, type SealingKeys } from '../src/backup/sealed-file.ts';
import { type Parts, startParts, withClient } from '../src/index.ts';
import { backedUpStreams, streams } from '../src/provision/declared-streams.ts';
import { inDatabase } from '../src/provision/databases.ts';
import { provisionUser } from '../src/provision/minio-admin.ts';
import { inventoryOf, wipe } from '../src/testing/inventory.ts';
import { natsConnections } from '../src/testing/nats-connections.ts';
import { runContainer } from './backup-command.ts';

let parts: Parts;
let folder: string;
let sealing: SealingKeys;
let opening: OpeningKeys;
const { as, close } = natsConnections(() => parts.nats);

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
  await migrateAll(parts);
  folder = mkdtempSync(join(tmpdir(), 'stoa-backup-'));
  ({ sealing, opening } = await newKeys());
}, 600_000);
afterAll(async () => {
  await close();
  await parts.stop();
  rmSync(folder, { recursive: true });
});

const subject = 'events.offerings.published';
const id = () => randomUUID();
const inOfferings = <T extends pg.QueryResultRow>(statement: string, values: unknown[] = []) =>
  withClient(
    parts.postgres.urls.offerings,
    async (client) => (await client.query<T>(statement, values)).rows,
  );
const inMedia = (statement: string, values: unknown[] = []) =>
  withClient(parts.postgres.urls.media, (client) => client.query(statement, values));

const everything = () => inventoryOf(parts);

it('a restore brings back every row, object and event of the backup [system-6]', async () => {
  const odd = 'a\tb\\n"Ω"\n\\.';
  await inMedia(
    `INSERT INTO upload (id, uid, purpose, path, filename, picture) VALUES ($1, $1, 'profile-picture', 'p', $2, $3)`,
    [id(), odd, JSON.stringify({ path: odd })],
  );
  await inOfferings(`INSERT INTO inbox (event_id) SELECT 'e' || n FROM generate_series(1, 5000) n`);
  await inOfferings(
    `INSERT INTO outbox (event_id, subject, payload, headers) VALUES (gen_random_uuid(), $1, '{}', '{}')`,
    [subject],
  );
  const client = storeClient(parts.minio);
  const { public: pictures, files } = parts.minio.buckets;
  const large = Buffer.alloc(300_000, 'picture\n');
  await client.putObject(pictures, 'a/é 1.webp', large, large.length, {
    'Content-Type': 'image/webp',
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
  await client.putObject(files, 'empty', Buffer.alloc(0), 0, { 'Content-Disposition': 'attachment' });
  const bus = jetstream(await as('offerings'));
  await forEachConcurrently(Array.from({ length: 500 }).keys(), async (number) => {
    const messageHeaders = headers();
    messageHeaders.set('Stoa-Test', String(number));
    await bus.publish(subject, JSON.stringify({ number }), { msgID: `m${number}`, headers: messageHeaders });
  });
  await bus.publish(`dead.offerings.${subject}`, '{}');
  await jetstream(await as('gateway')).publish('visits.gateway.counted', '{"what":"a visit"}');

  const before = await everything();
  const { name } = await backUp(parts, { place: folderPlace(folder), keys: sealing });
  await wipe(parts);
  expect(await everything()).not.toEqual(before);
  await restore(parts, { place: folderPlace(folder), keys: opening });
  expect(await everything()).toEqual(before);

  // Sequences continue: the next row and the next event get new numbers.
  await inOfferings(
    `INSERT INTO outbox (event_id, subject, payload, headers) VALUES (gen_random_uuid(), $1, '{}', '{}')`,
    [subject],
  );
  const { seq } = await bus.publish(subject, '{}');
  expect(seq).toBe(501);
  await inOfferings('DELETE FROM outbox');

  const place = join(folder, name);
  for (const file of readdirSync(place).filter((one) => one.endsWith('.age')))
    expect(readFileSync(join(place, file)).toString('latin1', 0, 21)).toBe('age-encryption.org/v1');
  await expect(
    restore(parts, { place: folderPlace(folder), keys: (await newKeys()).opening }),
  ).rejects.toThrow();
}, 300_000);

it('every stream is declared, and is in the backup or excluded with a reason', async () => {
  const { streams: api } = await jetstreamManager(await as('provision'));
  const there = new Set<string>();
  for await (const { config } of api.list()) there.add(config.name);
  expect(there).toEqual(new Set(streams.map(({ name }) => name)));
  const { manifest } = await backUp(parts, { place: folderPlace(folder), keys: sealing });
  expect(Object.keys(manifest.streams).toSorted()).toEqual(backedUpStreams.toSorted());
  const leftOut = streams.filter(({ name }) => !manifest.streams[name]);
  expect(leftOut.map(({ backup }) => backup)).toEqual(
    leftOut.map(() => ({ leftOut: expect.stringMatching(/\w{5}/) })),
  );
}, 180_000);

/** The rights that docs/operate/backup.md requires of a key for backups. */
const backupRights = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
      Resource: ['arn:aws:s3:::backups'],
    },
    {
      Effect: 'Allow',
      Action: [
        's3:GetObject',
        's3:PutObject',
        's3:DeleteObject',
        's3:AbortMultipartUpload',
        's3:ListMultipartUploadParts',
      ],
      Resource: ['arn:aws:s3:::backups/*'],
    },
  ],
};
const keys = { accessKey: 'backups', secretKey: randomUUID() };

const aBucket = async (prefix: string) => {
  const client = storeClient(parts.minio);
  const { endpoint, root } = parts.minio;
  if (!(await client.bucketExists('backups'))) {
    await client.makeBucket('backups');
    const policy = { name: 'backups', document: JSON.stringify(backupRights) };
    await provisionUser(endpoint, root, keys, policy);
  }
  return { client, place: bucketPlace(`s3://backups${prefix}`, { endpoint, region: 'us-east-1', ...keys }) };
};

/** The files of the bucket with an unfinished upload, which no list of files shows. */
async function unfinished(client: Client): Promise<string[]> {
  const { uploads } = await client.listIncompleteUploadsQuery('backups', '', '', '', '');
  return uploads.map(({ key }) => key).toSorted();
}

it.each(['', '/stoa/daily/'])(
  'a bucket takes backups at “%s”, and gives all of it back [system-7]',
  async (prefix) => {
    const { place } = await aBucket(prefix);
    await storeClient(parts.minio).putObject(parts.minio.buckets.files, 'large', randomBytes(20_000_000));
    const before = await everything();
    await backUp(parts, { place, keys: sealing });
    const { name } = await backUp(parts, { place, keys: sealing, retention: { newest: 1 } });
    expect(await completeBackupsIn(place)).toEqual([name]);
    await wipe(parts);
    await restore(parts, { place, keys: opening });
    expect(await everything()).toEqual(before);
    // Removes the object, so that its copy is unneeded once the last backup with it is removed.
    await storeClient(parts.minio).removeObject(parts.minio.buckets.files, 'large');
    const copies = (await place.list('objects')).length;
    await backUp(parts, { place, keys: sealing, retention: { newest: 1 } });
    expect(await place.list('objects')).toHaveLength(copies - 1);
  },
  300_000,
);

it('a file is uploaded in parts, and leaves nothing if its stream breaks off', async () => {
  const { client, place } = await aBucket('/parts');
  const chunk = randomBytes(1024 * 1024);
  async function* content(chunks: number, fails: boolean) {
    for (let sent = 0; sent < chunks; sent += 1) yield chunk;
    if (fails) throw new Error('broken off');
  }
  await place.write('whole', Readable.from(content(40, false)));
  const { size, etag } = await client.statObject('backups', 'parts/whole');
  expect([size, etag.split('-')[1]]).toEqual([40 * chunk.length, '3']);
  expect((await buffer(await place.read('whole'))).subarray(-chunk.length).equals(chunk)).toBe(true);
  await expect(place.write('broken', Readable.from(content(40, true)))).rejects.toThrow('broken off');
  expect([await place.has('whole'), await place.has('broken')]).toEqual([true, false]);
  expect(await unfinished(client)).toEqual([]);
  await place.write('empty', Readable.from([]));
  expect(await buffer(await place.read('empty'))).toHaveLength(0);
}, 180_000);

it('a backup removes only unfinished files that are older than a day', async () => {
  const { client, place } = await aBucket('/killed');
  for (const key of ['killed/objects/half', 'killedelse/half', 'half'])
    await client.initiateNewMultipartUpload('backups', key, {});
  await place.removeUnfinished(new Date(Date.now() - 60_000));
  expect(await unfinished(client)).toEqual(['half', 'killed/objects/half', 'killedelse/half']);
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60_000);
  try {
    await backUp(parts, { place, keys: sealing });
  } finally {
    now.mockRestore();
  }
  expect(await unfinished(client)).toEqual(['half', 'killedelse/half']);
}, 180_000);

it('the command of the CronJob backs up into a bucket, reports it, and can be restored', async () => {
  const { place } = await aBucket('/cluster');
  const before = await everything();
  const received: unknown[] = [];
  const collector = createServer(async (request, response) => {
    received.push([request.url, await json(request)]);
    response.end('{}');
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const { port } = collector.address() as AddressInfo;
  const options = { sealing, opening, keys };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const { stdout } = await runContainer(parts, place.address, { ...options, env }).finally(() =>
    collector.close(),
  );
  expect(stdout).toContain(String(await completeBackupsIn(place)));
  const [, at = ''] = /as of (\S+),/.exec(stdout) ?? [];
  expect(received).toMatchObject([
    ['/v1/metrics', messageOf('stoa.backup.time', new Date(at).getTime() / 1000)],
    // Sent after old backups are removed.
    ['/v1/metrics', messageOf('stoa.backup.retention.time', expect.any(Number))],
  ]);
  await wipe(parts);
  const change = ([program = '']: string[]) => [program, 'restore', place.address];
  const { stdout: restored } = await runContainer(parts, place.address, { ...options, change });
  expect(restored).toMatch(
    new RegExp(`^Restoring ${String(await completeBackupsIn(place))}.*${at}.*Everything is as of`, 's'),
  );
  expect(await everything()).toEqual(before);
}, 300_000);

/** The message for `stoa_backup_time_seconds{job="backup"}` and similar metrics in Prometheus. */
function messageOf(name: string, seconds: unknown) {
  const metric = { name, unit: 's', gauge: { dataPoints: [{ asDouble: seconds }] } };
  const service = { key: 'service.name', value: { stringValue: 'backup' } };
  return {
    resourceMetrics: [{ resource: { attributes: [service] }, scopeMetrics: [{ metrics: [metric] }] }],
  };
}

it('a backup is consistent under concurrent writes: an event is published or in the outbox, never lost', async () => {
  let writing = true;
  const bus = jetstream(await as('offerings'));
  const write = async () => {
    const client = new pg.Client({ connectionString: parts.postgres.urls.offerings });
    await client.connect();
    while (writing) {
      const event = id();
      await client.query('BEGIN');
      await client.query('INSERT INTO inbox (event_id) VALUES ($1)', [`row ${event}`]);
      await client.query(
        `INSERT INTO outbox (event_id, subject, payload, headers) VALUES ($1, $2, '{}', '{}')`,
        [event, subject],
      );
      await client.query('COMMIT');
    }
    await client.end();
  };
  const relay = async () => {
    const client = new pg.Client({ connectionString: parts.postgres.urls.offerings });
    await client.connect();
    while (writing) {
      const { rows } = await client.query<{ event_id: string }>('SELECT event_id FROM outbox LIMIT 20');
      for (const row of rows) await bus.publish(subject, '{}', { msgID: row.event_id });
      await client.query('DELETE FROM outbox WHERE event_id = ANY($1)', [rows.map((row) => row.event_id)]);
    }
    await client.end();
  };
  const work = [write(), write(), relay()];
  try {
    await backUp(parts, { place: folderPlace(folder), keys: sealing, retention: { newest: 1 } });
  } finally {
    writing = false;
    await Promise.all(work);
  }
  expect(await completeBackupsIn(folderPlace(folder))).toHaveLength(1);
  await restore(parts, { place: folderPlace(folder), keys: opening });

  const rows = await inOfferings<{ event: string }>(
    `SELECT substr(event_id, 5) AS event FROM inbox WHERE event_id LIKE 'row %'`,
  );
  const waiting = await inOfferings<{ event: string }>('SELECT event_id::text AS event FROM outbox');
  const announced = (await everything()).events
    .filter(([stream]) => stream === 'EVENTS')
    .map((event) => event[4]);
  const known = new Set(rows.map(({ event }) => event));
  const published = new Set([
    ...announced.filter((event) => /^[\da-f-]{36}$/.test(event)),
    ...waiting.map(({ event }) => event),
  ]);
  expect(known.size).toBeGreaterThan(0);
  expect(published).toEqual(known);
}, 300_000);

it('refuses to restore while apps run', async () => {
  const app = new pg.Client({ connectionString: parts.postgres.urls.creators });
  await app.connect();
  try {
    const before = await everything();
    await expect(restore(parts, { place: folderPlace(folder), keys: opening })).rejects.toThrow(
      'Stop the apps and Keycloak first: creators',
    );
    expect(await everything()).toEqual(before);
  } finally {
    await app.end();
  }
}, 180_000);

it('a backup runs alone, and removes files of a killed one', async () => {
  const left = join(folder, '2020-01-01T00-00-00-000Z');
  mkdirSync(left);
  const [first, second] = await Promise.allSettled(
    [1, 2].map(() => backUp(parts, { place: folderPlace(folder), keys: sealing, retention: { newest: 1 } })),
  );
  const refused = [first, second].find((one) => one?.status === 'rejected');
  expect(refused).toMatchObject({ reason: { message: 'Another backup or restore is under way.' } });
  expect(existsSync(left)).toBe(false);
  expect(await completeBackupsIn(folderPlace(folder))).toHaveLength(1);
}, 180_000);

it('a place belongs to one installation, also after its restore elsewhere [system-8]', async () => {
  const place = folderPlace(mkdtempSync(join(folder, 'place-')));
  await backUp(parts, { place, keys: sealing });
  const { name } = await backUp(parts, { place, keys: sealing });
  // The id of the first migration identifies an installation, so new ids make this one another installation.
  await withClient(inDatabase(parts.postgres.adminUrl, 'identity'), (admin) =>
    admin.query('UPDATE _prisma_migrations SET id = gen_random_uuid()'),
  );
  const before = (await place.list('')).toSorted();
  await expect(backUp(parts, { place, keys: sealing, retention: { newest: 1 } })).rejects.toThrow(
    'holds the backups of another installation',
  );
  expect((await place.list('')).toSorted()).toEqual(before);
  await restore(parts, { place, keys: opening, name });
  const next = await backUp(parts, { place, keys: sealing, retention: { newest: 1 } });
  expect(await completeBackupsIn(place)).toEqual([next.name]);
  // The first backup claims a place without an owner.
  await place.removeFile('installation');
  await backUp(parts, { place, keys: sealing });
  expect(await place.has('installation')).toBe(true);
}, 180_000);

it('a backup is reported before old ones are removed, and counts even if the removal fails', async () => {
  mkdirSync(join(folder, '2020-01-01T00-00-00-000Z'), { recursive: true });
  const removeFolder = () => Promise.reject(new Error('no right to delete'));
  const calls: string[] = [];
  const made = backUp(parts, {
    place: { ...folderPlace(folder), removeFolder },
    keys: sealing,
    retention: { newest: 1 },
    onMade: async ({ name }) => void calls.push(name),
    onPruned: async () => void calls.push('pruned'),
  });
  await expect(made).rejects.toThrow('no right to delete');
  expect(calls).toEqual([(await completeBackupsIn(folderPlace(folder))).at(-1)]);
}, 180_000);

it('refuses to restore during a backup', async () => {
  await withClient(parts.postgres.adminUrl, async (backup) => {
    await backup.query("SELECT pg_advisory_lock(hashtextextended('backup', 0))");
    const before = await everything();
    await expect(restore(parts, { place: folderPlace(folder), keys: opening })).rejects.toThrow(
      'Another backup or restore is under way.',
    );
    expect(await everything()).toEqual(before);
  });
}, 180_000);

it('refuses to restore a partial backup', async () => {
  await backUp(parts, { place: folderPlace(folder), keys: sealing });
  const [copy] = readdirSync(join(folder, 'objects'));
  rmSync(join(folder, 'objects', copy ?? ''));
  const before = await everything();
  await expect(restore(parts, { place: folderPlace(folder), keys: opening })).rejects.toThrow(
    'it lacks 1 of its files',
  );
  expect(await everything()).toEqual(before);
}, 180_000);
