import type { Manifest } from '@stoa/system/backup/backup';
import { files, newestBackup } from '@stoa/system/backup/backups';
import type { BackupPlace } from '@stoa/system/backup/backup-place';
import { type OpeningKeys, unseal } from '@stoa/system/backup/sealed-file';
import { createHash } from 'node:crypto';
import { json, text } from 'node:stream/consumers';

/** Count and hash of the rows of each table of the latest backup of a place. */
export async function contentsOf(place: BackupPlace, keys: OpeningKeys): Promise<Map<string, string>> {
  const name = (await newestBackup(place)) ?? '';
  const open = async (file: string) => unseal(await place.read(`${name}/${file}`), `${name}/${file}`, keys);
  const manifest = (await json(await open(files.manifest))) as Manifest;
  const contents = new Map<string, string>();
  for (const [database, { tables }] of Object.entries(manifest.databases))
    for (const { name: table, rows } of tables) {
      const lines = (await text(await open(files.rows(database, table)))).split('\n').toSorted();
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
      contents.set(`${database}.${table}`, `${rows} ${hash}`);
    }
  return contents;
}
