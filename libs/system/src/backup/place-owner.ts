import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { Problem } from '../problem.ts';
import { inDatabase, withClient } from '../provision/databases.ts';
import type { BackupPlace } from './backup-place.ts';

/** Postgres' error codes for a missing table and a missing database. */
const neverMade = ['42P01', '3D000'];

/** A file that names the installation to which the backups belong. */
const ownerFile = 'installation';

/**
 * The id of an installation: the id of its first recorded migration. A backup contains it, so a restored
 * installation keeps its id.
 *
 * @throws Problem if no migration is recorded: the installation was never set up.
 */
export async function installationId(adminUrl: string): Promise<string> {
  const id = await withClient(inDatabase(adminUrl, 'identity'), firstMigration).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && neverMade.includes(error.code ?? '')) return undefined;
    throw error;
  });
  if (id === undefined) throw new Problem('There is nothing to back up: the installation was never set up.');
  return id;
}

async function firstMigration(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM _prisma_migrations ORDER BY migration_name, id LIMIT 1',
  );
  return rows[0]?.id;
}

/**
 * Assigns a place without an owner to the installation.
 *
 * @throws Problem if the place belongs to another installation.
 */
export async function claimPlace(place: BackupPlace, installation: string): Promise<void> {
  if (!(await place.has(ownerFile))) await place.write(ownerFile, Readable.from([`${installation}\n`]));
  if ((await text(await place.read(ownerFile))).trim() !== installation)
    throw new Problem(
      `${place.address} holds the backups of another installation: name a folder or prefix of its own for this one, or restore ` +
        `from there first to go on as the one that made them. Where they are this one's all the same, remove the file ${ownerFile} there.`,
    );
}
