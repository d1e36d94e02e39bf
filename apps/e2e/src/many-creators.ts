import { randomUUID } from 'node:crypto';
import { updateRow } from './database.ts';

/**
 * Runs `use` with `count` more creators, then deletes them. A search for `mark` finds exactly these. They are older than all
 * others, so they are not on first pages that other tests read.
 */
export async function withManyCreators(count: number, use: (mark: string) => Promise<void>): Promise<void> {
  const mark = `crowd${randomUUID().slice(0, 8)}`;
  await updateRow(
    'creators',
    `WITH made AS (
       INSERT INTO creator (uid, username, email, display_name, search_text, social_links, created_at, published)
       SELECT gen_random_uuid(), $1 || n, $1 || n || '@example.test', $1 || ' ' || n, $1 || n,
              '{"youtube": null, "tiktok": null, "instagram": null}', '2001-01-01', true
         FROM generate_series(1, $2::int) n RETURNING uid)
     SELECT count(*) FROM made`,
    [mark, count],
  );
  try {
    await use(mark);
  } finally {
    await updateRow(
      'creators',
      'WITH gone AS (DELETE FROM creator WHERE starts_with(username, $1) RETURNING uid) SELECT count(*) FROM gone',
      [mark],
    );
  }
}
