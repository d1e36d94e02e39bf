const columns =
  'email, email_verified, claims_issued_at, display_name, bio, profile_image, header_image, paygates, social_links, niches, contact_by, palette, layout, links, published, taken_down';

/**
 * Changes a creator and records the event in one statement. It changes nothing if a given condition is false.
 * - $1: the columns to change, as a JSON object. $2: the new search text, if it changes. $3: the uid.
 * - $4, $5, $9: the address, proof and version that the row must have, if given.
 * - $6, $7, $8: the id, subject and headers of the event.
 * - $10: issue time of a token. The stored address must not come from a newer one.
 * - $11: the links that a published profile must have. Other links would need a check of their payees.
 * - $12: the inbox key of the request, which must not be stored yet.
 */
export const changeCreator = `
  WITH changed AS (
    UPDATE creator AS known SET
           (${columns}) = (SELECT ${columns} FROM jsonb_populate_record(known, $1::jsonb)),
           search_text = coalesce(
             $2::text || E'\\n ' || username || CASE WHEN username ~ '[-_]' THEN
               E'\\n ' || btrim(regexp_replace(username, '[-_]+', ' ', 'g')) || E'\\n ' || regexp_replace(username, '[-_]+', '', 'g')
             ELSE '' END, search_text),
           updated_at = now(),
           version = version + 1
     WHERE uid = $3::uuid AND email = coalesce($4, email) AND email_verified = coalesce($5::boolean, email_verified)
       AND version = coalesce($9::int, version)
       AND ($10::timestamptz IS NULL OR claims_issued_at IS NULL OR claims_issued_at <= $10::timestamptz)
       AND ($11::jsonb IS NULL
            OR CASE WHEN published THEN paygates = $11 -> 'paygates' AND links = coalesce($11 -> 'links', links)
                    ELSE NOT $1::jsonb ? 'published' END)
       AND ($12::text IS NULL OR NOT EXISTS (SELECT 1 FROM inbox WHERE event_id = $12))
    RETURNING *),
  done AS (
    INSERT INTO inbox (event_id) SELECT $12 FROM changed WHERE $12 IS NOT NULL),
  recorded AS (
    INSERT INTO outbox (event_id, subject, payload, headers)
    SELECT $6::uuid, $7, jsonb_build_object('uid', uid, 'username', username, 'displayName', display_name,
           'profileImageId', profile_image -> 'id', 'headerImageId', header_image -> 'id', 'version', version), $8::jsonb FROM changed)
  SELECT uid, username, email, email_verified AS "emailVerified", display_name AS "displayName", bio,
         profile_image AS "profileImage", header_image AS "headerImage", paygates, social_links AS "socialLinks",
         niches, contact_by AS "contactBy", palette, layout, links, offering_count AS "offeringCount", created_at AS "createdAt",
         updated_at AS "updatedAt", version, published, taken_down AS "takenDown", pg_notify('outbox', '')::text FROM changed`;
