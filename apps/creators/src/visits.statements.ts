/** Marks visits $1 as counted; answers those that were not yet, of creators that there are. In one order: replicas may share some. */
export const claimVisits = `
  INSERT INTO counted_visit (id, day)
  SELECT DISTINCT ON (visit.id) visit.id, visit.day
    FROM jsonb_to_recordset($1::jsonb) AS visit (id uuid, day date, "creatorId" uuid)
    JOIN creator ON uid = visit."creatorId" AND published AND NOT taken_down
   ORDER BY visit.id
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** How many subjects are told apart by now for creators $1 on days $2, and which of $3 are among them. */
export const knownSubjects = `
  SELECT creator_id AS "creatorId", day::text AS day, kind, count(*)::int AS subjects,
         coalesce(array_agg(subject) FILTER (WHERE subject = ANY ($3::text[])), '{}') AS known
    FROM visit_count
   WHERE creator_id = ANY ($1::uuid[]) AND day = ANY ($2::date[]) AND subject <> ''
   GROUP BY creator_id, day, kind`;

/** Of offerings $1 those that visitors have seen, and whose they are. */
export const ownedOfferings = `
  SELECT offering_id::text AS "offeringId", creator_id::text AS "creatorId"
    FROM offering_title WHERE offering_id = ANY ($1::uuid[])`;

/** Remembers who was counted on a day; answers what is new. */
export const rememberVisitors = `
  INSERT INTO day_visitor (creator_id, day, kind, subject, visitor)
  SELECT DISTINCT "creatorId", day, kind, subject, visitor
    FROM jsonb_to_recordset($1::jsonb) AS entry ("creatorId" uuid, day date, kind text, subject text, visitor text)
   ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT DO NOTHING
  RETURNING creator_id AS "creatorId", day::text AS day, kind, subject`;

/** Adds sums $1. Grouped, since ON CONFLICT refuses a row that is named twice. */
export const addCounts = `
  INSERT INTO visit_count AS known (creator_id, day, kind, subject, count, visitors)
  SELECT "creatorId", day, kind, subject, sum(count), sum(visitors)
    FROM jsonb_to_recordset($1::jsonb)
      AS added ("creatorId" uuid, day date, kind text, subject text, count bigint, visitors bigint)
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (creator_id, day, kind, subject)
  DO UPDATE SET count = known.count + excluded.count, visitors = known.visitors + excluded.visitors`;

/** Of creator $1 from day $2 to day $3. */
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

/** Forgets what is older than $1 days, a part of it; answers how many rows that were. */
export const forget = (table: 'visit_count' | 'day_visitor' | 'counted_visit'): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int LIMIT 5000))`;
