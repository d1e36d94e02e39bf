import { backupsIn, files, type Manifest } from '@stoa/system/backup/backup';
import { unseal } from '@stoa/system/backup/sealed-file';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';

/** Count and hash of the rows of each table of the latest backup in a folder. */
export async function contentsOf(folder: string, identity: string): Promise<Map<string, string>> {
  const place = join(folder, (await backupsIn(folder)).at(-1) ?? '');
  const open = (file: string) => unseal(join(place, file), identity);
  const manifest = (await json(await open(files.manifest))) as Manifest;
  const contents = new Map<string, string>();
  for (const [database, { tables }] of Object.entries(manifest.databases))
    for (const { name, rows } of tables) {
      const lines = (await text(await open(files.rows(database, name)))).split('\n').toSorted();
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
      contents.set(`${database}.${name}`, `${rows} ${hash}`);
    }
  return contents;
}
