import type { Manifest } from '@stoa/system/backup/backup';
import { backupFiles, newestBackup } from '@stoa/system/backup/backups';
import type { BackupPlace } from '@stoa/system/backup/backup-place';
import { type OpeningKeys, decryptAndVerify } from '@stoa/system/backup/sealed-file';
import { createHash } from 'node:crypto';
import { json, text } from 'node:stream/consumers';

/** Count and hash of the rows of each table in the latest backup of a place. */
export async function contentsOf(place: BackupPlace, keys: OpeningKeys): Promise<Map<string, string>> {
  const name = (await newestBackup(place)) ?? '';
  const open = async (file: string) =>
    decryptAndVerify(await place.read(`${name}/${file}`), `${name}/${file}`, keys);
  const manifest = (await json(await open(backupFiles.manifest))) as Manifest;
  const contents = new Map<string, string>();
  for (const [database, { tables }] of Object.entries(manifest.databases))
    for (const { name: table, rows } of tables) {
      const lines = (await text(await open(backupFiles.rows(database, table)))).split('\n').toSorted();
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
      contents.set(`${database}.${table}`, `${rows} ${hash}`);
    }
  return contents;
}
