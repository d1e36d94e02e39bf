import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateAll } from '../src/apps/migrate.ts';
import { backUp } from '../src/backup/backup.ts';
import { backupFiles } from '../src/backup/backups.ts';
import { folderPlace } from '../src/backup/folder-place.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { restore } from '../src/backup/restore.ts';
import { newKeys, type OpeningKeys, encryptAndSign, type SealingKeys } from '../src/backup/sealed-file.ts';
import { type Parts, startParts, withClient } from '../src/index.ts';
import { inventoryOf } from '../src/testing/inventory.ts';

let parts: Parts;
let folder: string;
let sealing: SealingKeys;
let opening: OpeningKeys;

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
  await migrateAll(parts);
  folder = mkdtempSync(join(tmpdir(), 'stoa-forged-backup-'));
  ({ sealing, opening } = await newKeys());
}, 600_000);
afterAll(async () => {
  await parts.stop();
  rmSync(folder, { recursive: true });
});

const everything = () => inventoryOf(parts);
const insertUpload = () =>
  withClient(parts.postgres.urls.media, (client) =>
    client.query(
      `INSERT INTO upload (id, uid, purpose, path, filename) VALUES ($1, $1, 'profile-picture', 'p', 'f')`,
      [randomUUID()],
    ),
  );

describe('a forged backup', () => {
  const table = 'media.upload.copy.age';
  const whole = async () => {
    const dir = mkdtempSync(join(folder, 'forged-'));
    const { name } = await backUp(parts, { place: folderPlace(dir), keys: sealing });
    return { dir, name };
  };
  const forge = async (dir: string, path: string, content: string, keys: SealingKeys, signedAs = path) => {
    rmSync(join(dir, path));
    await folderPlace(dir).write(
      path,
      await encryptAndSign(Readable.from([Buffer.from(content)]), signedAs, keys),
    );
  };
  /** The recipient is public: an intruder encrypts for it and signs with another key. */
  const intruder = async (): Promise<SealingKeys> => ({
    ...(await newKeys()).sealing,
    recipient: sealing.recipient,
  });

  it.each([
    [
      'rows signed with another key',
      async (dir: string, name: string) => forge(dir, `${name}/${table}`, '', await intruder()),
      'The signature of',
    ],
    [
      'rows of another file of the same installation',
      (dir: string, name: string) =>
        forge(dir, `${name}/${table}`, '', sealing, `${name}/media.inbox.copy.age`),
      'The signature of',
    ],
    [
      'a manifest of an older backup',
      (dir: string, name: string) =>
        forge(
          dir,
          `${name}/${backupFiles.manifest}`,
          '{}',
          sealing,
          `2020-01-01T00-00-00-000Z/${backupFiles.manifest}`,
        ),
      'The signature of',
    ],
    [
      'a manifest signed with another key',
      async (dir: string, name: string) =>
        forge(dir, `${name}/${backupFiles.manifest}`, '{}', await intruder()),
      'The signature of',
    ],
    [
      'a list of objects with a line less',
      async (dir: string, name: string) => writeFileSync(join(dir, name, backupFiles.objects), ''),
      'The list of objects',
    ],
    [
      'a stream signed with another key',
      async (dir: string, name: string) =>
        forge(dir, `${name}/${backupFiles.stream('EVENTS')}`, '', await intruder()),
      'The signature of',
    ],
    [
      'an object signed with another key',
      async (dir: string) => {
        const [copy = ''] = readdirSync(join(dir, 'objects'));
        await forge(dir, `objects/${copy}`, '{}\n', await intruder());
      },
      'The signature of',
    ],
  ])(
    'is refused and changes nothing: %s',
    async (_, change, message) => {
      await insertUpload();
      const client = storeClient(parts.minio);
      await client.putObject(parts.minio.buckets.public, 'kept', Buffer.from('kept'), 4);
      const { dir, name } = await whole();
      await change(dir, name);
      const before = await everything();
      await expect(restore(parts, { place: folderPlace(dir), keys: opening })).rejects.toThrow(message);
      expect(await everything()).toEqual(before);
    },
    180_000,
  );

  it('never stores a copied object that is signed with another key', async () => {
    const client = storeClient(parts.minio);
    await client.putObject(parts.minio.buckets.public, 'real', Buffer.from('real'), 4);
    const { dir } = await whole();
    const copies = readdirSync(join(dir, 'objects'));
    const head = JSON.stringify({ bucket: parts.minio.buckets.public, key: 'real', size: 4, headers: {} });
    const forger = await intruder();
    for (const copy of copies) await forge(dir, `objects/${copy}`, `${head}\nevil`, forger);
    const before = await everything();
    await expect(restore(parts, { place: folderPlace(dir), keys: opening })).rejects.toThrow(
      'The signature of',
    );
    expect(await everything()).toEqual(before);
    await expect(client.statObject(parts.minio.buckets.public, 'real')).resolves.toMatchObject({ size: 4 });
  }, 180_000);
});
