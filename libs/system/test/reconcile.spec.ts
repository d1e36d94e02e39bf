import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { offeringStateLabels } from '@stoa/contracts';
import { migrateAll } from '../src/apps/migrate.ts';
import { storeClient } from '../src/backup/object-copy.ts';
import { type Parts, startParts, withClient } from '../src/index.ts';
import { reconcile } from '../src/operations/reconcile.ts';

let parts: Parts;

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'minio'] });
  await migrateAll(parts);
}, 600_000);
afterAll(() => parts.stop());

const query = (service: 'media' | 'creators' | 'offerings', statement: string, values: unknown[] = []) =>
  withClient(parts.postgres.urls[service], (client) =>
    client.query<Record<string, unknown>>(statement, values),
  );

const put = (bucket: keyof Parts['minio']['buckets'], key: string) =>
  storeClient(parts.minio).putObject(parts.minio.buckets[bucket], key, 'x');

/** Inserts the row of an upload. If `checked`, it has a picture in one width. */
async function row({ checked = false } = {}) {
  const [id, uid] = [randomUUID(), randomUUID()];
  const path = `profile_pictures/${uid}/${id}`;
  const picture = checked ? JSON.stringify({ id, path, widths: [96], width: 96, height: 96 }) : null;
  await query(
    'media',
    `INSERT INTO upload (id, uid, purpose, path, picture, remove_after)
     VALUES ($1, $2, 'profile-picture', $3, $4, now() + interval '1 day')`,
    [id, uid, path, picture],
  );
  return { id, uid, path };
}

/** Inserts a profile with these pictures. */
const profile = (uid: string, picture: string | null, header: string | null = null) => {
  const shown = (id: string | null) => id && JSON.stringify({ id });
  return query(
    'creators',
    `INSERT INTO creator (uid, username, email, display_name, search_text, profile_image, header_image)
     VALUES ($1, $2, '', '', '', $3, $4)`,
    [uid, uid, shown(picture), shown(header)],
  );
};

const publish = async (path: string) => {
  for (const format of ['avif', 'webp']) await put('public', `${path}/96.${format}`);
};

/** Each state that an interrupted upload can leave. */
const broken = [
  async () => void (await row()),
  async () => {
    const { uid, id } = await row();
    await put('staging', `${uid}/${id}`);
  },
  async () => publish((await row()).path),
  async () => put('staging', `${randomUUID()}/${randomUUID()}`),
  async () => publish(`profile_pictures/${randomUUID()}/${randomUUID()}`),
  async () => put('files', `offering_files/${randomUUID()}/${randomUUID()}`),
  async () => void (await row({ checked: true })),
  async () => put('public', `${(await row({ checked: true })).path}/96.webp`),
];

const kinds = async () => {
  const found = await reconcile(parts, { settle: 50 });
  return Object.groupBy(found, ({ kind }) => kind);
};

it('finds and repairs the remains of 200 broken uploads, and keeps an intact one', async () => {
  for (let number = 0; number < 200; number += 1) await broken[number % broken.length]?.();
  const whole = await row({ checked: true });
  await publish(whole.path);
  await profile(whole.uid, whole.id);
  await query(
    'media',
    `INSERT INTO attachment (owner_kind, owner_id, upload_id, version) VALUES ('creator', $1, $2, 1)`,
    [whole.uid, whole.id],
  );
  const found = await reconcile(parts, { settle: 50 });
  const of = (kind: string) => found.filter((finding) => finding.kind === kind);
  // The fifth state leaves two objects, the others one.
  expect([of('orphan').length, of('dangling').length]).toEqual([100, 50]);
  for (const { repair } of found) await repair?.();
  // Deletes the row, as media's sweeper does later.
  const gone = await query('media', 'DELETE FROM upload WHERE remove_after <= now() RETURNING path');
  for (const { path } of gone.rows)
    await storeClient(parts.minio).removeObject(parts.minio.buckets.public, `${String(path)}/96.webp`);
  expect(await kinds()).toEqual({});
  const kept = await storeClient(parts.minio).statObject(parts.minio.buckets.public, `${whole.path}/96.webp`);
  expect(kept.size).toBe(1);
});

it('reports what it cannot repair, and changes nothing', async () => {
  const used = await row({ checked: true });
  const missing = randomUUID();
  for (const upload of [used.id, missing]) {
    const uid = randomUUID();
    await profile(uid, upload);
    await query(
      'media',
      `INSERT INTO attachment (owner_kind, owner_id, upload_id, version) VALUES ('creator', $1, $2, 1)`,
      [uid, upload],
    );
  }
  const { dangling = [], use = [] } = await kinds();
  expect(dangling.map(({ what, repair }) => [what, repair])).toEqual([
    [expect.stringContaining(`${used.id} lacks objects`), undefined],
  ]);
  expect(use.map(({ what }) => what)).toEqual([expect.stringContaining(missing)]);
  await query('media', 'DELETE FROM attachment WHERE upload_id = ANY($1)', [[used.id, missing]]);
  await query('media', 'DELETE FROM upload WHERE id = $1', [used.id]);
  await query('creators', "DELETE FROM creator WHERE profile_image ->> 'id' = ANY($1)", [[used.id, missing]]);
});

it('finds and repairs pictures that are shown but not kept, and the reverse', async () => {
  const [picture, header, dropped] = [await row(), await row(), await row()];
  const uid = randomUUID();
  await profile(uid, picture.id, header.id);
  for (const [kind, used] of [
    ['creator', picture.id],
    ['profile-header', dropped.id],
  ])
    await query(
      'media',
      'INSERT INTO attachment (owner_kind, owner_id, upload_id, version) VALUES ($1, $2, $3, 1)',
      [kind, uid, used],
    );
  const found = await reconcile(parts, { settle: 50 });
  expect(found.map(({ what }) => what).toSorted()).toEqual([
    `creator ${uid} shows the header picture ${header.id}, which is not kept`,
    `the header picture ${dropped.id} is kept for creator ${uid}, who does not show it`,
  ]);
  for (const { repair } of found) await repair?.();
  expect(await kinds()).toEqual({});
  const { rows } = await query('media', 'SELECT id FROM upload WHERE id = ANY($1) AND remove_after IS NULL', [
    [picture.id, header.id, dropped.id],
  ]);
  expect(rows).toEqual([{ id: header.id }]);
  await query('media', 'UPDATE attachment SET upload_id = NULL WHERE owner_id = $1', [uid]);
  await query('creators', 'DELETE FROM creator WHERE uid = $1', [uid]);
});

it('ignores objects in removal', async () => {
  const going = await row({ checked: true });
  await query('media', 'UPDATE upload SET removing_until = now() WHERE id = $1', [going.id]);
  await put('public', `${going.path}/96.webp`);
  expect(await kinds()).toEqual({});
});

it('finds and repairs cards without their objects and objects without their cards', async () => {
  const card = async (drawn = true) => {
    const path = `preview_cards/${randomUUID()}/${randomUUID()}/${randomUUID()}.jpg`;
    await query(
      'media',
      `INSERT INTO preview_card (path, uid, owner_id, drawn_at, remove_after)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), ${drawn ? 'now()' : 'NULL'}, now() + interval '1 day')`,
      [path],
    );
    return path;
  };
  const [whole, lost, orphan] = [await card(), await card(), `preview_cards/${randomUUID()}/a/b.jpg`];
  // A card that is being rendered.
  await card(false);
  await put('public', whole);
  await put('public', orphan);
  const found = await reconcile(parts, { settle: 50 });
  expect(found.map(({ kind, what }) => [kind, what]).toSorted()).toEqual([
    ['dangling', `card ${lost} lacks its object`],
    ['orphan', expect.stringContaining(orphan)],
  ]);
  for (const { repair } of found) await repair?.();
  // Deletes the row, as media's sweeper does later.
  await query('media', 'DELETE FROM preview_card WHERE remove_after <= now()');
  expect(await kinds()).toEqual({});
  expect((await storeClient(parts.minio).statObject(parts.minio.buckets.public, whole)).size).toBe(1);
});

it('finds and repairs a wrong count of public offerings', async () => {
  const uid = randomUUID();
  for (const state of Object.keys(offeringStateLabels))
    await query(
      'offerings',
      `INSERT INTO offering (id, creator_id, title, description, price, type, payment_url, state, slug, delivery_key, updated_at)
       VALUES (gen_random_uuid(), $1, 'T', '', '', 'eBook', 'https://a.test/', $2, $2, gen_random_uuid()::text, now())`,
      [uid, state],
    );
  // An offering that an operator has hidden is not public.
  await query(
    'offerings',
    `INSERT INTO offering (id, creator_id, title, description, price, type, payment_url, state, slug, delivery_key, taken_down)
     VALUES (gen_random_uuid(), $1, 'T', '', '', 'eBook', 'https://a.test/', 'published', '', '', true)`,
    [uid],
  );
  await query('creators', 'INSERT INTO offering_count (creator_id, count) VALUES ($1, 7)', [uid]);
  const { count = [] } = await kinds();
  expect(count.map(({ what }) => what)).toEqual([`${uid} has 2 offerings, and 7 are counted`]);
  for (const { repair } of count) await repair?.();
  expect(await kinds()).toEqual({});
});

it('finds and repairs files that are delivered but not kept, and the reverse [system-22]', async () => {
  const upload = async (uid: string) => {
    const id = randomUUID();
    const path = `offering_files/${uid}/${id}`;
    await query(
      'media',
      `INSERT INTO upload (id, uid, purpose, path, file, remove_after)
       VALUES ($1, $2, 'offering-file', $3, $4, now() + interval '1 day')`,
      [id, uid, path, JSON.stringify({ id })],
    );
    await put('files', path);
    return id;
  };
  const [uid, offering] = [randomUUID(), randomUUID()];
  const [first, unkept, dropped] = [await upload(uid), await upload(uid), await upload(uid)];
  const files = JSON.stringify([{ id: first }, { id: unkept }]);
  await query(
    'offerings',
    `INSERT INTO offering (id, creator_id, title, description, price, type, state, slug, delivery_key, payment_url, files)
     VALUES ($1, $2, '', '', '', '', 'draft', '', '', '', $3)`,
    [offering, uid, files],
  );
  for (const [kind, used] of [
    ['offering-file:0', first],
    ['offering-file:1', dropped],
  ])
    await query(
      'media',
      'INSERT INTO attachment (owner_kind, owner_id, upload_id, version) VALUES ($1, $2, $3, 1)',
      [kind, offering, used],
    );
  const found = await reconcile(parts, { settle: 50 });
  expect(found.map(({ what }) => what).toSorted()).toEqual([
    `offering ${offering} delivers the file ${unkept}, which is not kept`,
    `the file ${dropped} is kept for offering ${offering}, which does not deliver it`,
  ]);
  for (const { repair } of found) await repair?.();
  expect(await kinds()).toEqual({});
  const { rows } = await query('media', 'SELECT id FROM upload WHERE uid = $1 AND remove_after <= now()', [
    uid,
  ]);
  expect(rows).toEqual([{ id: dropped }]);
  const kept = await query(
    'media',
    'SELECT upload_id FROM attachment WHERE owner_id = $1 AND upload_id = $2',
    [offering, unkept],
  );
  expect(kept.rows).toHaveLength(1);
});
