import { setTimeout as pause } from 'node:timers/promises';
import { storeClient } from '../backup/object-copy.ts';
import { withClient } from '../provision/databases.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { fileUses, describeUse, keepFile, inBoth, releaseFile } from './file-uses.ts';

/** A difference between two stores of data. */
export interface Finding {
  /**
   * An object without an upload, an upload without its objects, a use of a missing upload, or a wrong count.
   */
  readonly kind: 'orphan' | 'dangling' | 'use' | 'count';
  readonly what: string;
  /** Undefined if only an operator can repair it. */
  readonly repair?: () => Promise<unknown>;
}

interface Upload {
  readonly id: string;
  readonly uid: string;
  readonly path: string;
  /** Widths of the picture; null until it is checked. */
  readonly widths: number[] | null;
  readonly isFile: boolean;
  readonly isUsed: boolean;
}

/** Milliseconds after which a wrong count is a finding: services apply events within moments. */
const settleMs = 3000;

/**
 * Compares buckets with databases, and counts with rows, while the product runs. It changes nothing itself.
 */
export async function reconcile(parts: PartsDescription, { settle = settleMs } = {}): Promise<Finding[]> {
  const uses = await fileFindings(parts, settle);
  return [...(await uploadFindings(parts)), ...uses, ...(await countFindings(parts, settle))];
}

const inMedia = <T extends object>(
  { postgres }: PartsDescription,
  statement: string,
  values: unknown[] = [],
) => withClient(postgres.urls.media, async (client) => (await client.query<T>(statement, values)).rows);

const uploadsOf = (parts: PartsDescription) =>
  inMedia<Upload>(
    parts,
    // Skips missing objects of rows that are being removed: the sweeper removes the rest.
    `SELECT id, uid, path, file IS NOT NULL AND removing_until IS NULL AS "isFile",
            CASE WHEN picture IS NOT NULL AND removing_until IS NULL
                 THEN ARRAY(SELECT jsonb_array_elements_text(picture -> 'widths')::int) END AS widths,
            EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id) AS "isUsed"
       FROM upload`,
  );

/** Exports. While an export is being made or removed, its archive may or may not exist. */
const exportsOf = (parts: PartsDescription) =>
  inMedia<{ id: string; key: string; isReady: boolean }>(
    parts,
    `SELECT id, 'account_exports/' || uid || '/' || id || '.zip' AS key,
            ready_at IS NOT NULL AND remove_after > now() AS "isReady" FROM account_export`,
  );

/** Preview cards. While a card is being rendered or removed, its object may or may not exist. */
const cardsOf = (parts: PartsDescription) =>
  inMedia<{ path: string; isDrawn: boolean }>(
    parts,
    `SELECT path, drawn_at IS NOT NULL AND removing_until IS NULL AS "isDrawn" FROM preview_card`,
  );

/** Lists of withdrawn objects. While a list is due, it may or may not exist. */
const listsOf = (parts: PartsDescription) =>
  inMedia<{ uid: string; key: string; isNeeded: boolean }>(
    parts,
    `SELECT uid, 'withdrawn/' || uid AS key,
            due_at IS NULL AND EXISTS (SELECT FROM withdrawal AS w WHERE w.uid = list.uid AND w.withdrawn) AS "isNeeded"
       FROM withdrawal_list AS list`,
  );

async function uploadFindings(parts: PartsDescription): Promise<Finding[]> {
  const { public: pictures, files, staging } = parts.minio.buckets;
  const client = storeClient(parts.minio);
  // A row is written before its objects and deleted after them. An object without a row both before and after
  // the listing is an orphan.
  const before = await uploadsOf(parts);
  const exportsBefore = await exportsOf(parts);
  const cardsBefore = await cardsOf(parts);
  const listsBefore = await listsOf(parts);
  const objects: { bucket: string; key: string }[] = [];
  for (const bucket of [pictures, files, staging])
    for await (const { name } of client.listObjectsV2(bucket, '', true))
      if (name) objects.push({ bucket, key: name });
  const after = await uploadsOf(parts);
  const exportsAfter = await exportsOf(parts);
  const cardsAfter = await cardsOf(parts);
  const listsAfter = await listsOf(parts);
  const exported = [...exportsBefore, ...exportsAfter].map(({ key }) => key);

  const all = [...before, ...after];
  const owners: Record<string, Set<string>> = {
    [pictures]: new Set([
      ...[...all, ...cardsBefore, ...cardsAfter].map(({ path }) => path),
      ...[...listsBefore, ...listsAfter].map(({ key }) => key),
    ]),
    [files]: new Set([...all.map(({ path }) => path), ...exported]),
    [staging]: new Set(all.map(({ uid, id }) => `${uid}/${id}`)),
  };
  const ownerOf = ({ bucket, key }: (typeof objects)[number]) =>
    bucket === pictures && !/^(preview_cards|withdrawn)\//.test(key)
      ? key.slice(0, key.lastIndexOf('/'))
      : key;
  const orphans = objects
    .filter((object) => !owners[object.bucket]?.has(ownerOf(object)))
    .map(({ bucket, key }): Finding => ({
      kind: 'orphan',
      what: `${bucket}/${key} belongs to no upload, card or export`,
      repair: () => client.removeObject(bucket, key),
    }));

  const there = new Set(objects.map(({ bucket, key }) => `${bucket}/${key}`));
  const still = new Map(after.map((upload) => [upload.id, upload]));
  const objectsNeeded = ({ path, widths, isFile }: Upload) => [
    ...(widths ?? []).flatMap((width) =>
      ['avif', 'webp'].map((format) => `${pictures}/${path}/${width}.${format}`),
    ),
    ...(isFile ? [`${files}/${path}`] : []),
  ];
  const dangling = before
    .filter((upload) => still.has(upload.id) && objectsNeeded(upload).some((object) => !there.has(object)))
    .map(({ id, path }): Finding => {
      const what = `upload ${id} lacks objects at ${path}`;
      if (still.get(id)?.isUsed) return { kind: 'dangling', what: `${what}, and is used: upload it again` };
      // Media's sweeper removes its remaining objects, then the row.
      const repair = () =>
        inMedia(
          parts,
          // Checks the row again, because the owner may have started to use the upload since.
          `UPDATE upload SET remove_after = now(), held_until = NULL WHERE id = $1
              AND NOT EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id)`,
          [id],
        );
      return { kind: 'dangling', what, repair };
    });
  const ready = new Set(exportsAfter.filter(({ isReady }) => isReady).map(({ id }) => id));
  const lostExports = exportsBefore
    .filter(({ id, key, isReady }) => isReady && ready.has(id) && !there.has(`${files}/${key}`))
    .map(({ id, key }): Finding => ({
      kind: 'dangling',
      what: `export ${id} lacks its archive at ${key}`,
      // Removes the row of the export. Its owner then finds no export and can request another.
      repair: () => inMedia(parts, 'UPDATE account_export SET remove_after = now() WHERE id = $1', [id]),
    }));
  const drawn = new Set(cardsAfter.filter(({ isDrawn }) => isDrawn).map(({ path }) => path));
  const lostCards = cardsBefore
    .filter(({ path, isDrawn }) => isDrawn && drawn.has(path) && !there.has(`${pictures}/${path}`))
    .map(({ path }): Finding => ({
      kind: 'dangling',
      what: `card ${path} lacks its object`,
      // Removes the row of the card. The next request for the card renders it.
      repair: () => inMedia(parts, 'UPDATE preview_card SET remove_after = now() WHERE path = $1', [path]),
    }));
  const neededLists = new Set(listsAfter.flatMap(({ uid, isNeeded }) => (isNeeded ? [uid] : [])));
  const lostLists = listsBefore
    .filter(({ uid, key, isNeeded }) => isNeeded && neededLists.has(uid) && !there.has(`${pictures}/${key}`))
    .map(({ uid, key }): Finding => ({
      kind: 'dangling',
      what: `${key} lacks its object: withdrawn objects of that account are public`,
      // Marks the list as due, so that media's sweeper writes it again.
      repair: () => inMedia(parts, 'UPDATE withdrawal_list SET due_at = now() WHERE uid = $1', [uid]),
    }));
  const uses = await inMedia<{ what: string }>(
    parts,
    `SELECT owner_kind || ' ' || owner_id || ' uses the upload ' || upload_id || ', which does not exist' AS what
       FROM attachment WHERE upload_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM upload WHERE id = upload_id)`,
  );
  return [
    ...orphans,
    ...dangling,
    ...lostExports,
    ...lostCards,
    ...lostLists,
    ...uses.map(({ what }): Finding => ({ kind: 'use', what })),
  ];
}

/**
 * Files and pictures that are used but not attached, or attached but not used. The release that knew one file
 * per offering could leave such.
 */
async function fileFindings(parts: PartsDescription, settle: number): Promise<Finding[]> {
  const first = await fileUses(parts);
  if (first.unkept.length + first.needless.length === 0) return [];
  await pause(settle);
  const second = await fileUses(parts);
  const { rows } = await withClient(parts.postgres.urls.media, (client) =>
    client.query<{ id: string }>('SELECT id FROM upload WHERE removing_until IS NULL AND id = ANY ($1)', [
      first.unkept.map(({ fileId }) => fileId),
    ]),
  );
  const there = new Set(rows.map(({ id }) => id));
  return [
    ...inBoth(first.unkept, second.unkept).map((use): Finding => {
      const what = describeUse(use).used;
      if (!there.has(use.fileId))
        return { kind: 'use', what: `${what}, which does not exist: upload it again` };
      return { kind: 'use', what: `${what}, which is not kept`, repair: () => keepFile(parts, use) };
    }),
    ...inBoth(first.needless, second.needless).map((use): Finding => ({
      kind: 'use',
      what: describeUse(use).needless,
      repair: () => releaseFile(parts, use),
    })),
  ];
}

/** By creator: the stored number of offerings, and the number of public ones. */
async function counts({
  postgres,
}: PartsDescription): Promise<Map<string, { counted: number; there: number }>> {
  const read = (service: 'creators' | 'offerings', statement: string) =>
    withClient(postgres.urls[service], async (client) => {
      const { rows } = await client.query<{ uid: string; count: number }>(statement);
      return new Map(rows.map(({ uid, count }) => [uid, count]));
    });
  const counted = await read('creators', 'SELECT creator_id AS uid, count FROM offering_count');
  const there = await read(
    'offerings',
    `SELECT creator_id AS uid, count(*)::int AS count FROM offering
      WHERE state IN ('published', 'sold_out') AND NOT taken_down GROUP BY creator_id`,
  );
  const uids = [...new Set([...counted.keys(), ...there.keys()])];
  return new Map(uids.map((uid) => [uid, { counted: counted.get(uid) ?? 0, there: there.get(uid) ?? 0 }]));
}

async function countFindings(parts: PartsDescription, settle: number): Promise<Finding[]> {
  const first = [...(await counts(parts))].filter(([, { counted, there }]) => counted !== there);
  if (first.length === 0) return [];
  await pause(settle);
  const second = await counts(parts);
  return first
    .filter(([uid, { counted, there }]) => {
      const now = second.get(uid);
      return now?.counted === counted && now.there === there;
    })
    .map(([uid, { counted, there }]) => ({
      kind: 'count',
      what: `${uid} has ${there} offerings, and ${counted} are counted`,
      // Changes the count only if no event has changed it since.
      repair: () =>
        withClient(parts.postgres.urls.creators, (client) =>
          client.query(
            `INSERT INTO offering_count AS c (creator_id, count) VALUES ($1, $2)
             ON CONFLICT (creator_id) DO UPDATE SET count = $2 WHERE c.count = $3`,
            [uid, there, counted],
          ),
        ),
    }));
}
