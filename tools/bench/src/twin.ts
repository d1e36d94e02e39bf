import fastify from 'fastify';
import pg from 'pg';

// The direct implementation: one prepared statement per request builds the JSON in SQL, over eight
// connections.

const profile = {
  name: 'profile',
  text: `SELECT json_build_object('uid', uid, 'username', username, 'displayName', display_name, 'contactBy', contact_by,
           'email', CASE contact_by WHEN 'email' THEN email END, 'bio', bio, 'profileImage', profile_image,
           'headerImage', header_image, 'paygates', paygates, 'socialLinks', social_links, 'niches', niches,
           'palette', palette, 'layout', layout, 'links', links,
           'offeringCount', offering_count, 'createdAt', created_at)::text AS body
      FROM creator WHERE username = $1`,
};
const browse = {
  name: 'browse',
  text: `SELECT json_build_object('items', json_agg(row_to_json(card)))::text AS body FROM (
           SELECT uid, username, display_name AS "displayName", profile_image AS "profileImage", niches,
                  offering_count AS "offeringCount", left(bio, 75) AS "bioPreview"
             FROM creator ORDER BY created_at DESC, uid DESC LIMIT 24) AS card`,
};
const change = {
  name: 'change',
  text: `WITH changed AS (
           UPDATE creator SET display_name = $2, bio = $3, search_text = $4, updated_at = now(), version = version + 1
            WHERE username = $1 RETURNING *),
         recorded AS (
           INSERT INTO twin_outbox (event_id, subject, payload, headers)
           SELECT gen_random_uuid(), 'events.creators.changed',
                  json_build_object('uid', uid, 'username', username, 'version', version), '{}' FROM changed)
         SELECT row_to_json(changed)::text AS body FROM changed`,
};

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });
// Ignores errors of idle connections, because the database is stopped before this process.
pool.on('error', () => undefined);
const bodyOf = async (statement: { name: string; text: string }, values: unknown[]) =>
  (await pool.query<{ body: string }>({ ...statement, values })).rows[0]?.body;

const app = fastify();
app.get<{ Params: { username: string } }>('/api/creators/:username', async ({ params }, reply) => {
  const body = await bodyOf(profile, [params.username]);
  return reply.type('application/json').send(body);
});
app.get('/api/creators', async (_, reply) => reply.type('application/json').send(await bodyOf(browse, [])));
app.put<{ Params: { username: string }; Body: { displayName: string; bio: string } }>(
  '/api/creators/:username',
  async ({ params, body: { displayName, bio } }, reply) => {
    const text = ` ${displayName} ${bio}`.toLowerCase();
    return reply
      .type('application/json')
      .send(await bodyOf(change, [params.username, displayName, bio, text]));
  },
);
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.once('SIGTERM', () => process.exit(0));
