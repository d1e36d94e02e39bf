import { withClient } from '../provision/databases.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** The role of an upload in a record, with the names that media stores. */
type UseKind = 'offering-file' | 'creator' | 'profile-header';

/** A record and an upload that it uses. */
export interface FileUse {
  readonly kind: UseKind;
  readonly ownerId: string;
  readonly fileId: string;
}

/** Disagreements between offerings and creators on one side and media on the other. */
export interface FileUses {
  /**
   * Uploads that a record delivers or shows, but that are not attached in media, which would remove them as
   * unused.
   */
  readonly unkept: FileUse[];
  /** Uploads that are attached in media for a record that does not use them. */
  readonly needless: FileUse[];
}

const read = (
  { postgres }: PartsDescription,
  service: 'media' | 'offerings' | 'creators',
  statement: string,
) => withClient(postgres.urls[service], async (client) => (await client.query<FileUse>(statement)).rows);

/** The files of every offering. */
const delivered = `
  SELECT 'offering-file' AS kind, id AS "ownerId", item ->> 'id' AS "fileId"
    FROM offering, jsonb_array_elements(files) AS listed (item) WHERE item ->> 'id' IS NOT NULL`;

/** The pictures of every profile. */
const shown = `
  SELECT 'creator' AS kind, uid AS "ownerId", profile_image ->> 'id' AS "fileId" FROM creator WHERE profile_image ->> 'id' IS NOT NULL
   UNION ALL
  SELECT 'profile-header', uid, header_image ->> 'id' FROM creator WHERE header_image ->> 'id' IS NOT NULL`;

const kept = `
  SELECT DISTINCT split_part(owner_kind, ':', 1) AS kind, owner_id AS "ownerId", upload_id AS "fileId" FROM attachment
   WHERE upload_id IS NOT NULL AND (owner_kind IN ('creator', 'profile-header') OR owner_kind LIKE 'offering-file:%')`;

export async function fileUses(parts: PartsDescription): Promise<FileUses> {
  const used = [...(await read(parts, 'offerings', delivered)), ...(await read(parts, 'creators', shown))];
  const held = await read(parts, 'media', kept);
  const key = ({ kind, ownerId, fileId }: FileUse) => `${kind} ${ownerId} ${fileId}`;
  const without = (uses: FileUse[], others: FileUse[]) => {
    const known = new Set(others.map(key));
    return uses.filter((use) => !known.has(key(use)));
  };
  return { unkept: without(used, held), needless: without(held, used) };
}

/** The uses that occur in both lists. */
export function inBoth(first: FileUse[], second: FileUse[]): FileUse[] {
  return first.filter((use) =>
    second.some(
      ({ kind, ownerId, fileId }) => kind === use.kind && ownerId === use.ownerId && fileId === use.fileId,
    ),
  );
}

/** Describes a use for operators: how the record uses the file, and the text for a needless attachment. */
export function describeUse({ kind, ownerId, fileId }: FileUse): { used: string; needless: string } {
  if (kind === 'offering-file')
    return {
      used: `offering ${ownerId} delivers the file ${fileId}`,
      needless: `the file ${fileId} is kept for offering ${ownerId}, which does not deliver it`,
    };
  const picture = kind === 'creator' ? 'picture' : 'header picture';
  return {
    used: `creator ${ownerId} shows the ${picture} ${fileId}`,
    needless: `the ${picture} ${fileId} is kept for creator ${ownerId}, who does not show it`,
  };
}

/** Attaches the file in media if the upload exists. */
export const keepFile = (parts: PartsDescription, use: FileUse) =>
  use.kind === 'offering-file' ? keepDelivered(parts, use) : keepShown(parts, use);

/** Each record has one slot per kind of picture. */
const keepShown = ({ postgres }: PartsDescription, { kind, ownerId, fileId }: FileUse) =>
  withClient(postgres.urls.media, (client) =>
    client.query(
      `WITH there AS (
         UPDATE upload SET remove_after = NULL WHERE id = $3 AND removing_until IS NULL RETURNING id)
       INSERT INTO attachment (owner_kind, owner_id, upload_id, version) SELECT $1, $2, there.id, 0 FROM there
       ON CONFLICT (owner_kind, owner_id) DO UPDATE SET upload_id = excluded.upload_id`,
      [kind, ownerId, fileId],
    ),
  );

/** Takes the first free slot of the offering. */
const keepDelivered = ({ postgres }: PartsDescription, { ownerId, fileId }: FileUse) =>
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
      [ownerId, fileId],
    ),
  );

/** Detaches the file in media. The sweeper removes uploads without any attachment. */
export const releaseFile = ({ postgres }: PartsDescription, { kind, ownerId, fileId }: FileUse) =>
  withClient(postgres.urls.media, async (client) => {
    await client.query(
      `UPDATE attachment SET upload_id = NULL
        WHERE owner_id = $1 AND upload_id = $2 AND split_part(owner_kind, ':', 1) = $3`,
      [ownerId, fileId, kind],
    );
    await client.query(
      `UPDATE upload SET remove_after = GREATEST(now(), held_until)
        WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id)`,
      [fileId],
    );
  });
