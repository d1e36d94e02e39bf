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
export interface Filter {
  /** How many forms each word has that the index is asked for: of one word one form is to match, of all words each. */
  readonly forms: readonly number[];
  /** Whether there are further words, which are looked for in the rows that those find. */
  readonly further: boolean;
  readonly niche: boolean;
}

/** Of how many words the index is asked: the longest ones leave few rows. */
export const mostIndexedWords = 3;

/** The values of a filter, in the order of its parameters. */
export function filterOf(
  words: readonly (readonly string[])[],
  niche: string | undefined,
): { filter: Filter; values: unknown[] } {
  const [indexed, further] = [words.slice(0, mostIndexedWords), words.slice(mostIndexedWords)];
  const values: unknown[] = indexed.flat();
  if (further.length > 0) values.push(further.map(([form]) => form));
  if (niche !== undefined) values.push(niche);
  const forms = indexed.map(({ length }) => length);
  return { filter: { forms, further: further.length > 0, niche: niche !== undefined }, values };
}

/** An expression that the index of niches does not know. */
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

/** The statements of public reads; `proved` leaves only creators whose address is proved. */
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

    /** Rows in the order of the list, as long as there are matches among the first `most`. */
    walk: (filter: Filter, most: number) => {
      const { after, limit } = listed(filter);
      return named(
        `walk-${nameOf(filter)}-${most}`,
        // What a card shows is made of the rows of the page alone, not of all that are looked through.
        `SELECT ${cardColumns}, place FROM (
           SELECT uid, place FROM (
             SELECT uid, search_text, niches, row_number() OVER ()::int AS place FROM (
               SELECT uid, search_text, niches FROM creator WHERE ${after} AND ${published}
                ORDER BY ${listOrder} LIMIT ${isEverything(filter) ? limit : most}) AS listed) AS walked
            WHERE ${conditionOf(filter)} LIMIT ${limit}) AS found JOIN creator USING (uid) ORDER BY place`,
      );
    },

    /**
     * Everything the indexes of words and niches know, sorted and counted: for what is rare. With `byWordAlone` the niche is
     * looked up in the rows that the index of words finds.
     */
    lookUp: (filter: Filter, byWordAlone = false) => {
      // A place in the list is looked at in the rows that are found: `IS TRUE` keeps the planner from intersecting them with
      // the index of the list, of which it takes a third to be behind any place, and which is read whole from the first page on.
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

    /** Counts matches up to `limit`, in the order of the list or by the index, whichever sooner gets there. */
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
