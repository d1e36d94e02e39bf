import { z } from 'zod';
import type { BackupPlace } from '../backup/backup-place.ts';
import { bucketPlace } from '../backup/bucket-place.ts';
import { folderPlace } from '../backup/folder-place.ts';
import { Problem } from '../problem.ts';

/** The environment of the commands `backup` and `restore` for backups in a bucket. */
export const BackupEnvironment = z.object({
  BACKUP_S3_ENDPOINT: z
    .string()
    .default('')
    .describe('Address of the object store for backups in `s3://bucket/prefix`.'),
  BACKUP_S3_REGION: z.string().default('us-east-1').describe('Its region.'),
  BACKUP_S3_ACCESS_KEY: z
    .string()
    .default('')
    .describe('A key that lists, reads, writes and deletes in that bucket.'),
  BACKUP_S3_SECRET_KEY: z.string().default('').describe('Its secret.'),
});

/**
 * The place of backups at an address, a folder or `s3://bucket/prefix`.
 *
 * @throws Problem if it is a bucket and its address is invalid or settings are missing.
 */
export function backupPlace(address: string, env: NodeJS.ProcessEnv): BackupPlace {
  if (!address.startsWith('s3://')) return folderPlace(address);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const settings = BackupEnvironment.parse(given);
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new Problem(`${missing.join(', ')} must say how to reach ${address}.`);
  if (
    !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/.test(address) ||
    !URL.canParse(settings.BACKUP_S3_ENDPOINT)
  )
    throw new Problem(`${address} at ${settings.BACKUP_S3_ENDPOINT} is no bucket: s3://bucket/prefix.`);
  return bucketPlace(address, {
    endpoint: settings.BACKUP_S3_ENDPOINT,
    region: settings.BACKUP_S3_REGION,
    accessKey: settings.BACKUP_S3_ACCESS_KEY,
    secretKey: settings.BACKUP_S3_SECRET_KEY,
  });
}
