import type { Statement } from '@stoa/platform';

// The migration's indexes use the same expression and order: change them together.
const complete = `(profile_image IS NOT NULL AND bio <> '' AND offering_count > 0)`;
const listOrder = `${complete} DESC, created_at DESC, uid DESC`;
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The rows of the list that a search scans before it reads an index. */
export const maxScannedRows = 3000;
/** The rows that a count, or a search for punctuation alone, scans. */
export const maxScannedRowsOfCount = 12_000;

const cardColumns = `uid, username, display_name AS "displayName", profile_image AS "profileImage", niches,
  greatest(offering_count, 0) AS "offeringCount", left(bio, 1500) AS bio, ${complete} AS "isComplete",
  ${isoTime('created_at')} AS "createdAt"`;

const profileColumns = `uid, username, display_name AS "displayName", contact_by AS "contactBy",
  CASE contact_by WHEN 'email' THEN email END AS email, bio, profile_image AS "profileImage",
  header_image AS "headerImage", paygates, social_links AS "socialLinks", niches, palette, layout, links,
  greatest(offering_count, 0) AS "offeringCount", ${isoTime('created_at')} AS "createdAt"`;

/** The shape of a search. Each shape is a separate prepared statement with a separate plan. */
export interface Filter {
  /** The number of forms of each indexed word. Each word must match in at least one form. */
  readonly forms: readonly number[];
  /** Whether there are more words, which the query checks in the rows that the index finds. */
  readonly further: boolean;
  readonly niche: boolean;
}

/** The words that the query reads from the index: the longest ones leave few rows to check. */
export const maxIndexedWords = 3;

/** The filter of a search, and its values in the order of the SQL parameters. */
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

/** An expression that the planner does not match to the index of niches. */
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

/** The statements of public reads. `proved` limits them to creators with a proved address. */
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

    /** The matches among the first `maxRows` rows of the list, in its order. */
    walk: (filter: Filter, maxRows: number) => {
      const { after, limit } = listed(filter);
      return named(
        `walk-${nameOf(filter)}-${maxRows}`,
        // The outer query reads the columns of cards for the rows of the page only, not for all scanned rows.
        `SELECT ${cardColumns}, place FROM (
           SELECT uid, place FROM (
             SELECT uid, search_text, niches, row_number() OVER ()::int AS place FROM (
               SELECT uid, search_text, niches FROM creator WHERE ${after} AND ${published}
                ORDER BY ${listOrder} LIMIT ${isEverything(filter) ? limit : maxRows}) AS listed) AS walked
            WHERE ${conditionOf(filter)} LIMIT ${limit}) AS found JOIN creator USING (uid) ORDER BY place`,
      );
    },

    /**
     * All matches by the indexes of words and niches, sorted and counted: for rare matches. With `byWordAlone`, the query
     * checks the niche in the rows that the word index finds.
     */
    lookUp: (filter: Filter, byWordAlone = false) => {
      // `IS TRUE` hides the comparison with the cursor from the planner. Otherwise the planner estimates that it leaves a third
      // of the list, and intersects the matches with the list index. For a first page, that reads the whole index.
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

    /** Counts matches up to `limit`, by a scan of the list or by the indexes. */
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

    /** The share of creators with a niche, by the statistics of Postgres; 0 for a rare one. */
    nicheShare: named(
      'niche-share',
      `SELECT coalesce(max(share), 0)::float8 AS share
         FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS known(niche, share)
        WHERE schemaname = current_schema AND tablename = 'creator' AND attname = 'niches' AND niche = $1`,
    ),

    /** The approximate number of creators, by the statistics of Postgres. */
    estimate: named(
      'estimate',
      `SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = 'creator'::regclass`,
    ),
  };
}
