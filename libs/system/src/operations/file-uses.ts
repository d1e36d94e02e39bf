import { withClient } from '../provision/databases.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** An offering and an upload. */
interface FileUse {
  readonly offeringId: string;
  readonly fileId: string;
}

/** Where offerings and media do not agree. */
export interface FileUses {
  /** Delivered, but not kept: media would remove it as never used. */
  readonly unkept: FileUse[];
  /** Kept for an offering that does not deliver it. */
  readonly needless: FileUse[];
}

const read = ({ postgres }: PartsDescription, service: 'media' | 'offerings', statement: string) =>
  withClient(postgres.urls[service], async (client) => (await client.query<FileUse>(statement)).rows);

/** What every offering delivers. The release before several files writes `file` alone: it stands for the first. */
const delivered = `
  SELECT id AS "offeringId", file ->> 'id' AS "fileId" FROM offering WHERE file IS NOT NULL
   UNION
  SELECT id, item ->> 'id' FROM offering,
         jsonb_array_elements(files) WITH ORDINALITY AS listed (item, place)
   WHERE place > 1 OR item ->> 'id' = file ->> 'id'`;

const kept = `
  SELECT DISTINCT owner_id AS "offeringId", upload_id AS "fileId" FROM attachment
   WHERE upload_id IS NOT NULL AND (owner_kind = 'offering-file' OR owner_kind LIKE 'offering-file:%')`;

export async function fileUses(parts: PartsDescription): Promise<FileUses> {
  const [there, held] = [await read(parts, 'offerings', delivered), await read(parts, 'media', kept)];
  const key = ({ offeringId, fileId }: FileUse) => `${offeringId} ${fileId}`;
  const without = (uses: FileUse[], others: FileUse[]) => {
    const known = new Set(others.map(key));
    return uses.filter((use) => !known.has(key(use)));
  };
  return { unkept: without(there, held), needless: without(held, there) };
}

/** What stands in both. */
export function lasting(first: FileUse[], second: FileUse[]): FileUse[] {
  return first.filter((use) =>
    second.some(({ offeringId, fileId }) => offeringId === use.offeringId && fileId === use.fileId),
  );
}

/** Notes the use in the first slot that is free, as long as the upload is there. */
export const keepFile = ({ postgres }: PartsDescription, { offeringId, fileId }: FileUse) =>
  withClient(postgres.urls.media, (client) =>
    client.query(
      `WITH there AS (
         UPDATE upload SET remove_after = NULL WHERE id = $2 AND removing_until IS NULL RETURNING id)
       INSERT INTO attachment AS a (owner_kind, owner_id, upload_id, version)
       SELECT 'offering-file:' || place, $1, there.id, 0
         FROM there, generate_series(0, 99) AS place
        WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE owner_kind = 'offering-file:' || place AND owner_id = $1
                             AND upload_id IS NOT NULL)
        ORDER BY place LIMIT 1
       ON CONFLICT (owner_kind, owner_id) DO UPDATE SET upload_id = excluded.upload_id WHERE a.upload_id IS NULL`,
      [offeringId, fileId],
    ),
  );

/** Forgets the use. What nothing else uses goes with the next sweep. */
export const releaseFile = ({ postgres }: PartsDescription, { offeringId, fileId }: FileUse) =>
  withClient(postgres.urls.media, async (client) => {
    await client.query(
      `UPDATE attachment SET upload_id = NULL
        WHERE owner_id = $1 AND upload_id = $2 AND owner_kind LIKE 'offering-file%'`,
      [offeringId, fileId],
    );
    await client.query(
      `UPDATE upload SET remove_after = GREATEST(now(), held_until)
        WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id)`,
      [fileId],
    );
  });
