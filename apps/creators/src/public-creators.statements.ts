import type { Statement } from '@stoa/platform';

// Together with the migration's indexes: they know this expression and this order.
const complete = `(profile_image IS NOT NULL AND bio <> '' AND offering_count > 0)`;
const listOrder = `${complete} DESC, created_at DESC, uid DESC`;
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** How many rows of the list a search looks through before it asks the index of all words. */
export const maxScannedRows = 3000;
/** Where nothing helps but to look: as far as a count, and a search for signs alone, go. */
export const maxScannedRowsOfCount = 12_000;

const cardColumns = `uid, username, display_name AS "displayName", profile_image AS "profileImage", niches,
  greatest(offering_count, 0) AS "offeringCount", left(bio, 1500) AS bio, ${complete} AS "isComplete",
  ${isoTime('created_at')} AS "createdAt"`;

const profileColumns = `uid, username, display_name AS "displayName", contact_by AS "contactBy",
  CASE contact_by WHEN 'email' THEN email END AS email, bio, profile_image AS "profileImage",
  header_image AS "headerImage", paygates, social_links AS "socialLinks", niches, palette, layout, links,
  greatest(offering_count, 0) AS "offeringCount", ${isoTime('created_at')} AS "createdAt"`;

/** What a list is narrowed by; each is a statement of its own, so that each has its own plan. */
export type Filter = 'none' | 'search' | 'niche' | 'both';

const conditions: Record<Filter, string> = {
  none: 'true',
  search: 'search_text LIKE $1',
  niche: 'niches @> ARRAY[$1]',
  both: 'search_text LIKE $1 AND niches @> ARRAY[$2]',
};
/** The same where the index of words alone is to be read, and the niche looked up in the rows that it finds. */
const byWordAlone = "search_text LIKE $1 AND (niches || '{}') @> ARRAY[$2]";
const parameters: Record<Filter, number> = { none: 0, search: 1, niche: 1, both: 2 };

/** The statements of public reads; `proved` leaves only creators whose address is proved. */
export function publicStatements(proved: boolean) {
  const published = `(published AND NOT taken_down${proved ? ' AND email_verified' : ''})`;
  const version = proved ? 'proved' : 'all';
  const named = (name: string, text: string): Statement => ({ name: `${name}-${version}`, text });

  const listed = (filter: Filter) => {
    const [first, second, third, limit] = [1, 2, 3, 4].map((next) => `$${parameters[filter] + next}`);
    return {
      after: `(${complete}, created_at, uid) < (${first}::boolean, ${second}::timestamptz, ${third}::uuid)`,
      limit,
    };
  };

  return {
    profiles: named(
      'profiles',
      `SELECT ${profileColumns} FROM creator WHERE username = ANY ($1::text[]) AND ${published}`,
    ),

    /** Rows in the order of the list, as long as there are matches among the first `most`. */
    walk: (filter: Filter, most: number) => {
      const { after, limit } = listed(filter);
      return named(
        `walk-${filter}-${most}`,
        // What a card shows is made of the rows of the page alone, not of all that are looked through.
        `SELECT ${cardColumns}, place FROM (
           SELECT uid, place FROM (
             SELECT uid, search_text, niches, row_number() OVER ()::int AS place FROM (
               SELECT uid, search_text, niches FROM creator WHERE ${after} AND ${published}
                ORDER BY ${listOrder} LIMIT ${filter === 'none' ? limit : most}) AS listed) AS walked
            WHERE ${conditions[filter]} LIMIT ${limit}) AS found JOIN creator USING (uid) ORDER BY place`,
      );
    },

    /** Everything the indexes of words and niches know, sorted and counted: for what is rare. */
    lookUp: (filter: Exclude<Filter, 'none'> | 'both-by-word') => {
      // A place in the list is looked at in the rows that are found: `IS TRUE` keeps the planner from intersecting them with
      // the index of the list, of which it takes a third to be behind any place, and which is read whole from the first page on.
      const { after, limit } = listed(filter === 'both-by-word' ? 'both' : filter);
      return named(
        `look-up-${filter}`,
        `WITH found AS MATERIALIZED (
           SELECT uid, created_at AS made, ${complete} AS complete FROM creator
            WHERE ${filter === 'both-by-word' ? byWordAlone : conditions[filter]} AND ${published} AND (${after}) IS TRUE)
         SELECT ${cardColumns}, matches FROM (
           SELECT uid, made, complete, count(*) OVER ()::int AS matches FROM found
            ORDER BY complete DESC, made DESC, uid DESC LIMIT ${limit}) AS page
           JOIN creator USING (uid) ORDER BY page.complete DESC, made DESC, uid DESC`,
      );
    },

    /** Counts matches up to `limit`, in the order of the list or by the index, whichever sooner gets there. */
    count: (filter: Filter, by: 'walk' | 'index') => {
      const limit = `$${parameters[filter] + 1}`;
      const rows =
        by === 'walk'
          ? `(SELECT search_text, niches FROM creator WHERE ${published}
               ORDER BY ${listOrder}${filter === 'none' ? '' : ` LIMIT ${maxScannedRowsOfCount}`}) AS listed WHERE ${conditions[filter]}`
          : `creator WHERE ${conditions[filter]} AND ${published}`;
      return named(
        `count-${filter}-${by}`,
        `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${limit}) AS counted`,
      );
    },

    /** Profiles of a range of ids. */
    part: named(
      'sitemap-part',
      `SELECT uid, username, ${isoTime('updated_at')} AS "updatedAt" FROM creator
        WHERE uid >= $1::uuid AND uid <= $2::uuid AND ${published} ORDER BY uid LIMIT $3`,
    ),

    /** Which share of the creators has a niche, as the database's own statistics know it; 0 for one that is rare. */
    nicheShare: named(
      'niche-share',
      `SELECT coalesce(max(share), 0)::float8 AS share
         FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS known(niche, share)
        WHERE schemaname = current_schema AND tablename = 'creator' AND attname = 'niches' AND niche = $1`,
    ),

    /** About how many creators there are, as the database's own statistics know it. */
    estimate: named(
      'estimate',
      `SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = 'creator'::regclass`,
    ),
  };
}
