import { setTimeout as pause } from 'node:timers/promises';
import { storeClient } from '../backup/object-copy.ts';
import { withClient } from '../provision/databases.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { fileUses, inWords, keepFile, lasting, releaseFile } from './file-uses.ts';

/** Something that two keepers of data do not agree about. */
export interface Finding {
  /** An object that no upload is of, an upload whose objects are missing, a use of an upload that there is not, a wrong count. */
  readonly kind: 'orphan' | 'dangling' | 'use' | 'count';
  readonly what: string;
  /** Undefined where only people can mend it. */
  readonly repair?: () => Promise<unknown>;
}

interface Upload {
  readonly id: string;
  readonly uid: string;
  readonly path: string;
  /** Widths of the picture, once it is checked. */
  readonly widths: number[] | null;
  readonly isFile: boolean;
  readonly isUsed: boolean;
}

/** An event is applied within moments; a count that is wrong for longer stays wrong. */
const settleMs = 3000;

/** Compares buckets with databases, and counts with rows, while everything goes on. It changes nothing by itself. */
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
    // What is being removed may lack objects; the sweeper comes for the rest.
    `SELECT id, uid, path, file IS NOT NULL AND removing_until IS NULL AS "isFile",
            CASE WHEN picture IS NOT NULL AND removing_until IS NULL
                 THEN ARRAY(SELECT jsonb_array_elements_text(picture -> 'widths')::int) END AS widths,
            EXISTS (SELECT 1 FROM attachment WHERE upload_id = upload.id) AS "isUsed"
       FROM upload`,
  );

/** Exports. Of one that is made or removed just now the archive may lie there or not. */
const exportsOf = (parts: PartsDescription) =>
  inMedia<{ id: string; key: string; isReady: boolean }>(
    parts,
    `SELECT id, 'account_exports/' || uid || '/' || id || '.zip' AS key,
            ready_at IS NOT NULL AND remove_after > now() AS "isReady" FROM account_export`,
  );

/** Cards. Of one that is drawn or removed just now the object may lie there or not. */
const cardsOf = (parts: PartsDescription) =>
  inMedia<{ path: string; isDrawn: boolean }>(
    parts,
    `SELECT path, drawn_at IS NOT NULL AND removing_until IS NULL AS "isDrawn" FROM preview_card`,
  );

/** Lists of withdrawn objects. One that is due may lie there or not. */
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
  // A row comes before its objects and goes after them, so what is without one before and after is without one.
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
      if (still.get(id)?.isUsed) return { kind: 'dangling', what: `${what}, and is used: upload it anew` };
      // Media's sweeper takes the rest of its objects, then the row.
      const repair = () =>
        inMedia(
          parts,
          // Its owner may have come to use it meanwhile.
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
      // Its owner finds none then, and may ask for another.
      repair: () => inMedia(parts, 'UPDATE account_export SET remove_after = now() WHERE id = $1', [id]),
    }));
  const drawn = new Set(cardsAfter.filter(({ isDrawn }) => isDrawn).map(({ path }) => path));
  const lostCards = cardsBefore
    .filter(({ path, isDrawn }) => isDrawn && drawn.has(path) && !there.has(`${pictures}/${path}`))
    .map(({ path }): Finding => ({
      kind: 'dangling',
      what: `card ${path} lacks its object`,
      // Whoever asks for it next has it drawn.
      repair: () => inMedia(parts, 'UPDATE preview_card SET remove_after = now() WHERE path = $1', [path]),
    }));
  const neededLists = new Set(listsAfter.flatMap(({ uid, isNeeded }) => (isNeeded ? [uid] : [])));
  const lostLists = listsBefore
    .filter(({ uid, key, isNeeded }) => isNeeded && neededLists.has(uid) && !there.has(`${pictures}/${key}`))
    .map(({ uid, key }): Finding => ({
      kind: 'dangling',
      what: `${key} lacks its object: what is hidden of that account is shown`,
      // Media's sweeper writes it anew.
      repair: () => inMedia(parts, 'UPDATE withdrawal_list SET due_at = now() WHERE uid = $1', [uid]),
    }));
  const uses = await inMedia<{ what: string }>(
    parts,
    `SELECT owner_kind || ' ' || owner_id || ' uses the upload ' || upload_id || ', which there is not' AS what
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

/** Files and pictures that are used and would go, or are kept and not used: a release that knows one file leaves such. */
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
    ...lasting(first.unkept, second.unkept).map((use): Finding => {
      const what = inWords(use).used;
      if (!there.has(use.fileId)) return { kind: 'use', what: `${what}, which there is not: upload it anew` };
      return { kind: 'use', what: `${what}, which is not kept`, repair: () => keepFile(parts, use) };
    }),
    ...lasting(first.needless, second.needless).map((use): Finding => ({
      kind: 'use',
      what: inWords(use).needless,
      repair: () => releaseFile(parts, use),
    })),
  ];
}

/** By creator: how many offerings are counted, and how many there are for everybody to see. */
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
      // Unless an event has changed it since.
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
