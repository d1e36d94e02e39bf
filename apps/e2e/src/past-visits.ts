import { withClient } from './database.ts';

const days = 30;

/** Inserts numbers of visits for the last month, because the API counts visits only for today. */
export async function makePastVisits(uid: string, offeringId: string): Promise<void> {
  const counted: readonly (readonly [kind: string, subject: string, perDay: number])[] = [
    ['view', '', 9],
    ['view', offeringId, 6],
    ['any', '', 12],
    ['access', offeringId, 2],
    ['support', '', 1],
    ['download', offeringId, 1],
    ['referrer', 'instagram.com', 4],
    ['referrer', 'duckduckgo.com', 2],
    ['referrer', 'newsletter.example.org', 1],
  ];
  await withClient('creators', async (client) => {
    for (const [kind, subject, perDay] of counted)
      await client.query(
        // The numbers are always the same: they grow and differ by day of the week.
        `insert into visit_count (creator_id, day, kind, subject, count, visitors)
         select $1, (now() at time zone 'utc')::date - ago, $2, $3, count, greatest(1, count * 2 / 3)
         from generate_series(0, $5 - 1) as ago,
              lateral (select $4 * (1 + (ago * 7) % 5 + ($5 - ago) / 8)::bigint as count) as busy
         on conflict (creator_id, day, kind, subject) do nothing`,
        [uid, kind, subject, perDay, days],
      );
  });
}
