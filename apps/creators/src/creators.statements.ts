const columns =
  'email, email_verified, claims_issued_at, display_name, bio, profile_image, header_image, paygates, social_links, niches, contact_by, palette, layout, links, published, taken_down';

/**
 * Changes the columns that the object $1 names and announces it, the row and its event in one statement. $2 is the new
 * text of name and bio, if they change; $3 whose; $4, $5 and $9, if given, what address, proof and version there must be; $10 when the token was
 * issued that none may be newer than; $11 the links that a published profile must have: other ones, and the first publication, are no matter of this statement alone; $12 what the inbox calls the request, which must not be there.
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
