import type { Statement } from '@stoa/platform';

// The indexes in the migration have the same expression and order. Change all of them together.
const complete = `(profile_image IS NOT NULL AND bio <> '' AND offering_count > 0)`;
const listOrder = `${complete} DESC, created_at DESC, uid DESC`;
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Rows of the list that a search scans before it reads an index. */
export const maxScannedRows = 3000;
/** Rows of the list that a count scans, or a search for punctuation, which no index contains. */
export const maxScannedRowsOfCount = 12_000;

const cardColumns = `uid, username, display_name AS "displayName", profile_image AS "profileImage", niches,
  greatest(offering_count, 0) AS "offeringCount", left(bio, 1500) AS bio, ${complete} AS "isComplete",
  ${isoTime('created_at')} AS "createdAt"`;

const profileColumns = `uid, username, display_name AS "displayName", contact_by AS "contactBy",
  CASE contact_by WHEN 'email' THEN email END AS email, bio, profile_image AS "profileImage",
  header_image AS "headerImage", paygates, social_links AS "socialLinks", niches, palette, layout, links,
  greatest(offering_count, 0) AS "offeringCount", ${isoTime('created_at')} AS "createdAt"`;

/** What a search filters by. Each combination has its own prepared statement and query plan. */
export interface Filter {
  /** For each indexed word, the number of its spellings. One spelling of each word must match. */
  readonly forms: readonly number[];
  /** Whether the search has more words. The query checks them in the rows that the index finds. */
  readonly further: boolean;
  readonly niche: boolean;
}

/** Maximum number of words for which the query reads the index. The longest words leave few rows to check. */
export const maxIndexedWords = 3;

/** Converts the words of a search into a filter and the values of its SQL parameters, in order. */
export function filterOf(
  words: readonly (readonly string[])[],
  niche: string | undefined,
): { filter: Filter; values: unknown[] } {
  const [indexed, further] = [words.slice(0, maxIndexedWords), words.slice(maxIndexedWords)];
  const values: unknown[] = indexed.flat();
  if (further.length > 0) values.push(further.map(([form]) => form));
  if (niche !== undefined) values.push(niche);
  const forms = indexed.map(({ length }) => length);
  return { filter: { forms, further: further.length > 0, niche: niche !== undefined }, values };
}

/** An expression without an index, so that Postgres does not read the index of niches. */
const nichesUnindexed = "(niches || '{}')";
const isEverything = ({ forms, niche }: Filter) => forms.length === 0 && !niche;
const nameOf = ({ forms, further, niche }: Filter) =>
  ['by', ...forms, ...(further ? ['more'] : []), ...(niche ? ['niche'] : [])].join('-');
const parametersOf = ({ forms, further, niche }: Filter) =>
  forms.reduce((sum, count) => sum + count, 0) + Number(further) + Number(niche);

function conditionOf({ forms, further, niche }: Filter, niches = 'niches'): string {
  let parameter = 0;
  const next = () => `$${(parameter += 1)}`;
  const words = forms.map((count) =>
    Array.from({ length: count }, () => `search_text LIKE ${next()}`).join(' OR '),
  );
  return [
    ...words.map((alternatives) => `(${alternatives})`),
    ...(further ? [`search_text LIKE ALL (${next()}::text[])`] : []),
    ...(niche ? [`${niches} @> ARRAY[${next()}]`] : []),
    'true',
  ].join(' AND ');
}

/** The SQL statements for visitors. With `proved`, they find only creators who have proved their address. */
export function publicStatements(proved: boolean) {
  const published = `(published AND NOT taken_down${proved ? ' AND email_verified' : ''})`;
  const version = proved ? 'proved' : 'all';
  const named = (name: string, text: string): Statement => ({ name: `${name}-${version}`, text });

  const listed = (filter: Filter) => {
    const [first, second, third, limit] = [1, 2, 3, 4].map((next) => `$${parametersOf(filter) + next}`);
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

    /** Matches among the first `maxRows` rows of the list, in the order of the list. */
    walk: (filter: Filter, maxRows: number) => {
      const { after, limit } = listed(filter);
      return named(
        `walk-${nameOf(filter)}-${maxRows}`,
        // Only the inner query scans many rows; the outer one reads all columns for the rows of the page.
        `SELECT ${cardColumns}, place FROM (
           SELECT uid, place FROM (
             SELECT uid, search_text, niches, row_number() OVER ()::int AS place FROM (
               SELECT uid, search_text, niches FROM creator WHERE ${after} AND ${published}
                ORDER BY ${listOrder} LIMIT ${isEverything(filter) ? limit : maxRows}) AS listed) AS walked
            WHERE ${conditionOf(filter)} LIMIT ${limit}) AS found JOIN creator USING (uid) ORDER BY place`,
      );
    },

    /**
     * All matches by index, sorted and counted. With `byWordAlone` it reads no index of niches, but checks the rows instead.
     */
    lookUp: (filter: Filter, byWordAlone = false) => {
      // `IS TRUE` hides the condition of the cursor from the query planner. The planner would guess that it excludes most
      // rows, and read the whole index of the list.
      const { after, limit } = listed(filter);
      return named(
        `look-up-${nameOf(filter)}${byWordAlone ? '-alone' : ''}`,
        `WITH found AS MATERIALIZED (
           SELECT uid, created_at AS made, ${complete} AS complete FROM creator
            WHERE ${conditionOf(filter, byWordAlone ? nichesUnindexed : undefined)} AND ${published} AND (${after}) IS TRUE)
         SELECT ${cardColumns}, matches FROM (
           SELECT uid, made, complete, count(*) OVER ()::int AS matches FROM found
            ORDER BY complete DESC, made DESC, uid DESC LIMIT ${limit}) AS page
           JOIN creator USING (uid) ORDER BY page.complete DESC, made DESC, uid DESC`,
      );
    },

    /** Counts matches up to `limit`, by scanning the list or by the indexes. */
    count: (filter: Filter, by: 'walk' | 'index') => {
      const limit = `$${parametersOf(filter) + 1}`;
      const rows =
        by === 'walk'
          ? `(SELECT search_text, niches FROM creator WHERE ${published}
               ORDER BY ${listOrder}${isEverything(filter) ? '' : ` LIMIT ${maxScannedRowsOfCount}`}) AS listed WHERE ${conditionOf(filter)}`
          : `creator WHERE ${conditionOf(filter)} AND ${published}`;
      return named(
        `count-${nameOf(filter)}-${by}`,
        `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${limit}) AS counted`,
      );
    },

    part: named(
      'sitemap-part',
      `SELECT uid, username, ${isoTime('updated_at')} AS "updatedAt" FROM creator
        WHERE uid >= $1::uuid AND uid <= $2::uuid AND ${published} ORDER BY uid LIMIT $3`,
    ),

    /** The share of creators with a niche, as the statistics of Postgres estimate it; 0 for a rare niche. */
    nicheShare: named(
      'niche-share',
      `SELECT coalesce(max(share), 0)::float8 AS share
         FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS known(niche, share)
        WHERE schemaname = current_schema AND tablename = 'creator' AND attname = 'niches' AND niche = $1`,
    ),

    /** The number of creators, as the statistics of Postgres estimate it. */
    estimate: named(
      'estimate',
      `SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = 'creator'::regclass`,
    ),
  };
}
