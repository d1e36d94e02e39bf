import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket, connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateAll } from '../src/apps/migrate.ts';
import { backUp } from '../src/backup/backup.ts';
import { completeBackupsIn } from '../src/backup/backups.ts';
import { bucketPlace } from '../src/backup/bucket-place.ts';
import { withCut } from '../src/backup/consistent-cut.ts';
import { folderPlace } from '../src/backup/folder-place.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { newKeys, type SealingKeys } from '../src/backup/sealed-file.ts';
import { type Parts, startParts, withClient } from '../src/index.ts';
import { waitFor } from '../src/testing/wait-for.ts';
import { runContainer } from './backup-command.ts';

/** The longest time that a backup may delay a writer. */
const writerMs = 2000;

let parts: Parts;
let folder: string;
let sealing: SealingKeys;

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
  await migrateAll(parts);
  folder = mkdtempSync(join(tmpdir(), 'stoa-backup-waits-'));
  ({ sealing } = await newKeys());
}, 600_000);
afterAll(async () => {
  await parts.stop();
  rmSync(folder, { recursive: true });
});

const announce = (client: pg.Client) =>
  client.query(
    `INSERT INTO outbox (event_id, subject, payload, headers) VALUES ($1, 'events.test', '{}', '{}')`,
    [randomUUID()],
  );

/**
 * Writes events of a service until it is stopped, then returns the time of the slowest write in milliseconds.
 */
function writing(service: 'offerings' | 'creators') {
  let stopped = false;
  const slowest = withClient(parts.postgres.urls[service], async (client) => {
    let longest = 0;
    while (!stopped) {
      const since = performance.now();
      await announce(client);
      longest = Math.max(longest, performance.now() - since);
    }
    return longest;
  });
  return () => {
    stopped = true;
    return slowest;
  };
}

describe('writers', () => {
  it('continue while a long transaction delays a backup [system-4]', async () => {
    const long = new pg.Client({ connectionString: parts.postgres.urls.offerings });
    await long.connect();
    await long.query('BEGIN');
    await announce(long);
    const stops = [writing('offerings'), writing('creators')];
    const backup = backUp(parts, { place: folderPlace(folder), keys: sealing });
    await withClient(parts.postgres.adminUrl, async (admin) => {
      const tries = new Set<number>();
      await waitFor(
        async () => {
          const { rows } = await admin.query<{ pid: number }>(
            `SELECT pid FROM pg_locks WHERE mode = 'ShareLock' AND NOT granted AND locktype = 'relation'`,
          );
          for (const { pid } of rows) tries.add(pid);
          expect(tries.size).toBeGreaterThanOrEqual(3);
        },
        { interval: 20 },
      );
    });
    await long.query('COMMIT');
    await long.end();
    const { name, pausedMs } = await backup;
    const slowest = await Promise.all(stops.map((stop) => stop()));
    expect(Math.max(...slowest)).toBeLessThan(writerMs);
    expect(pausedMs).toBeLessThanOrEqual(writerMs);
    expect(await completeBackupsIn(folderPlace(folder))).toContain(name);
  }, 60_000);

  it('continue while a backup hangs with locks held, and it retries [system-5]', async () => {
    const stop = writing('creators');
    const writer = new pg.Client({ connectionString: parts.postgres.urls.offerings });
    await writer.connect();
    const moments: number[] = [];
    const cut = await withCut(
      parts.postgres,
      // The writer waits for the backup's lock during this callback. Without a timeout of the lock both would
      // wait forever.
      async () => void (moments.push(performance.now()) === 1 && (await announce(writer))),
      async (_, __, pausedMs) => pausedMs,
    );
    await writer.end();
    expect(moments).toHaveLength(2);
    expect(cut).toBeLessThanOrEqual(writerMs);
    expect(await stop()).toBeLessThan(writerMs);
  }, 30_000);
});

/** A proxy of the store that stops sending and accepting data on request. */
async function storeThatHangs() {
  const open = new Set<Socket>();
  let isHung = false;
  const server: Server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined);
    if (isHung) return;
    const { hostname, port } = new URL(parts.minio.endpoint);
    const store = connectTo(Number(port), hostname);
    open.add(store);
    store.on('error', () => undefined);
    client.pipe(store).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang() {
      isHung = true;
      for (const socket of open) socket.unpipe().pause();
    },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

describe('a store that hangs', () => {
  const silentMs = 1000;
  const silence = 'has been silent for 1 s';
  let store: Awaited<ReturnType<typeof storeThatHangs>>;
  const bucket = () => {
    const { accessKey, secretKey } = parts.minio.root;
    return bucketPlace('s3://kept/stoa', {
      endpoint: store.endpoint,
      region: 'us-east-1',
      accessKey,
      secretKey,
      silentMs,
    });
  };

  beforeAll(async () => {
    await storeClient(parts.minio).makeBucket('kept');
  });
  beforeEach(async () => {
    store = await storeThatHangs();
  });
  afterEach(() => store.close());

  it('fails a backup at its first request, with one sentence', async () => {
    store.hang();
    await expect(backUp(parts, { place: bucket(), keys: sealing })).rejects.toThrow(silence);
  }, 20_000);

  it('fails a backup within a file', async () => {
    const { files } = parts.minio.buckets;
    const client = storeClient(parts.minio);
    await client.putObject(files, 'large', randomBytes(40_000_000));
    const place = bucket();
    const hanging = waitFor(async () => {
      const { uploads } = await client.listIncompleteUploadsQuery('kept', '', '', '', '');
      expect(uploads).toHaveLength(1);
    }).then(() => store.hang());
    await expect(backUp(parts, { place, keys: sealing })).rejects.toThrow(silence);
    await hanging;
    await client.removeObject(files, 'large');
  }, 60_000);

  it('fails the reader of a file, but not a slow reader', async () => {
    await storeClient(parts.minio).putObject('kept', 'stoa/large', randomBytes(40_000_000));
    const slow = await bucket().read('large');
    const file = await bucket().read('large');
    store.hang();
    await expect(file.toArray()).rejects.toThrow(silence);
    expect(slow.destroyed).toBe(false);
    slow.destroy();
  }, 20_000);

  it('ends the command with 1 and a sentence for the store of the installation', async () => {
    store.hang();
    const keysOfBackup = await newKeys();
    const command = runContainer(parts, folder, {
      ...keysOfBackup,
      keys: parts.minio.root,
      env: { S3_ENDPOINT: store.endpoint },
    });
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The object store at \S+ has been silent for 30 s: .*\n$/),
    });
  }, 90_000);
});
