/**
 * Stores the ids of visits $1 to public profiles, and returns the new ones. The order prevents deadlocks between replicas.
 */
export const claimVisits = `
  INSERT INTO counted_visit (id, day)
  SELECT DISTINCT ON (visit.id) visit.id, visit.day
    FROM jsonb_to_recordset($1::jsonb) AS visit (id uuid, day date, "creatorId" uuid)
    JOIN creator ON uid = visit."creatorId" AND published AND NOT taken_down
   ORDER BY visit.id
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** Number of subjects that creators $1 have on days $2, and which subjects of $3 are among them. */
export const knownSubjects = `
  SELECT creator_id AS "creatorId", day::text AS day, kind, count(*)::int AS subjects,
         coalesce(array_agg(subject) FILTER (WHERE subject = ANY ($3::text[])), '{}') AS known
    FROM visit_count
   WHERE creator_id = ANY ($1::uuid[]) AND day = ANY ($2::date[]) AND subject <> ''
   GROUP BY creator_id, day, kind`;

/** Those offerings of $1 that this service knows from events, with their creators. */
export const ownedOfferings = `
  SELECT offering_id::text AS "offeringId", creator_id::text AS "creatorId"
    FROM offering_title WHERE offering_id = ANY ($1::uuid[])`;

/** Stores the visitors of a day, and returns an entry for each new one. */
export const storeVisitors = `
  INSERT INTO day_visitor (creator_id, day, kind, subject, visitor)
  SELECT DISTINCT "creatorId", day, kind, subject, visitor
    FROM jsonb_to_recordset($1::jsonb) AS entry ("creatorId" uuid, day date, kind text, subject text, visitor text)
   ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT DO NOTHING
  RETURNING creator_id AS "creatorId", day::text AS day, kind, subject`;

/** Adds sums $1 to the counters. `GROUP BY` is needed, because ON CONFLICT cannot change a row twice. */
export const addCounts = `
  INSERT INTO visit_count AS known (creator_id, day, kind, subject, count, visitors)
  SELECT "creatorId", day, kind, subject, sum(count), sum(visitors)
    FROM jsonb_to_recordset($1::jsonb)
      AS added ("creatorId" uuid, day date, kind text, subject text, count bigint, visitors bigint)
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (creator_id, day, kind, subject)
  DO UPDATE SET count = known.count + excluded.count, visitors = known.visitors + excluded.visitors`;

/** SQL condition: creator $1, from day $2 to day $3. */
const ofDays = 'creator_id = $1::uuid AND day BETWEEN $2::date AND $3::date';

export const readDays = `
  SELECT day::text AS day, kind, sum(count)::float8 AS count, sum(visitors)::float8 AS visitors
    FROM visit_count WHERE ${ofDays} AND kind <> 'referrer' GROUP BY day, kind`;

export const readSubjects = `
  SELECT kind, subject, sum(count)::float8 AS count
    FROM visit_count WHERE ${ofDays} AND kind <> 'any' GROUP BY kind, subject
   ORDER BY count DESC, subject`;

export const listCounts = `
  SELECT day::text AS day, kind, subject, count::float8 AS count, visitors::float8 AS visitors
    FROM visit_count WHERE ${ofDays} ORDER BY day, kind, subject`;

/** Deletes a batch of rows that are older than $1 days. */
export const deleteExpired = (table: 'visit_count' | 'day_visitor' | 'counted_visit'): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int LIMIT 5000))`;
