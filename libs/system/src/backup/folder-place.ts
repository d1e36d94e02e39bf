import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupPlace } from './backup-place.ts';

/** Suffix of the name of a file that is still being written. */
const ending = '.part';

/** A folder of this machine or of a volume as a place of backups. */
export function folderPlace(address: string): BackupPlace {
  const at = (name: string) => join(address, name);
  return {
    address,
    async list(folder) {
      return (await unless(['ENOENT'], readdir(at(folder)))) ?? [];
    },
    has: async (file) => (await unless(['ENOENT', 'ENOTDIR'], stat(at(file)))) !== undefined,
    read: async (file) => createReadStream(at(file)),
    async write(file, content) {
      await mkdir(dirname(at(file)), { recursive: true, mode: 0o700 });
      // Writes under a temporary name and renames the complete file.
      const part = `${at(file)}${ending}`;
      await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, at(file));
    },
    removeFile: (file) => rm(at(file), { force: true }),
    removeFolder: (folder) => rm(at(folder), { recursive: true, force: true }),
    // Only the shared folder of object copies is cleaned here. An unfinished file of a backup is removed with
    // the backup's folder.
    async removeUnfinished(before) {
      for (const file of await readdir(address, { recursive: true }).catch(() => []))
        if (file.endsWith(ending) && (await stat(at(file))).mtime < before) await rm(at(file));
    },
  };
}

/**
 * Returns undefined if `work` fails with one of the error codes `codes`. An unavailable volume has other
 * codes.
 */
async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
