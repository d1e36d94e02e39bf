import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateAll, startParts, type NatsUser, type Parts } from '../src/index.ts';
import { provision } from '../src/provision/provision.ts';
import { databases, services } from '../src/settings/names.ts';

let parts: Parts;
beforeAll(async () => {
  // The first run on a machine builds these parts.
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
}, 600_000);
afterAll(() => parts.stop());

it.each(['postgres', 'nats', 'minio'] as const)('provisions %s again (idempotent)', async (name) => {
  await expect(provision[name](parts)).resolves.toBeUndefined();
});

describe('Postgres', () => {
  const rowsOf = async (connectionString: string, sql: string) => {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  it('lets a service connect to its own database, which has its extensions [system-20]', async () => {
    const url = parts.postgres.urlFor('creators');
    const [row] = await rowsOf(
      url,
      `SELECT 'A'::citext = 'a' AS same, unaccent('é') AS plain, similarity('a', 'a')`,
    );
    expect(row).toEqual({ same: true, plain: 'e', similarity: 1 });
  });

  it('creates search trigrams for letters of every script [system-21]', async () => {
    const words = ['abc', 'Ελένη', 'привет', 'محمد', 'שלום', 'हिन्दी', '田中', 'かな', '한국', 'โลก', 'စာ'];
    const rows = await rowsOf(
      parts.postgres.urlFor('creators'),
      `SELECT word FROM unnest('{${words.join(',')}}'::text[]) AS word WHERE cardinality(show_trgm(word)) < 3`,
    );
    expect(rows).toEqual([]);
  });

  it('lets a service change rows, and only the migration user change tables', async () => {
    const { urls, migrationUrls } = parts.postgres;
    for (const name of services) {
      await rowsOf(
        migrationUrls[name],
        'CREATE TABLE made_by_a_migration (id serial PRIMARY KEY, word text)',
      );
      await rowsOf(urls[name], `INSERT INTO made_by_a_migration (word) VALUES ('a')`);
      await rowsOf(urls[name], `UPDATE made_by_a_migration SET word = 'b'; DELETE FROM made_by_a_migration`);
      for (const refused of [
        'CREATE TABLE mine (id int)',
        'CREATE TEMPORARY TABLE mine (id int)',
        'CREATE SCHEMA mine',
        `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
        'ALTER TABLE made_by_a_migration ADD COLUMN more text',
        'CREATE INDEX ON made_by_a_migration (word)',
        'TRUNCATE made_by_a_migration',
        'DROP TABLE made_by_a_migration',
        `SET ROLE ${name}_owner`,
        `DROP DATABASE ${name}`,
      ])
        await expect(rowsOf(urls[name], refused)).rejects.toThrow(/permission denied|must be owner/);
      const owned = `SELECT relname FROM pg_class WHERE relowner = '${name}'::regrole`;
      expect(await rowsOf(parts.postgres.adminUrl.replace(/postgres$/, name), owned)).toEqual([]);
      await rowsOf(migrationUrls[name], 'DROP TABLE made_by_a_migration');
    }
  });

  it("lets the metrics user read statistics and connect to no service's database", async () => {
    const { metricsUrl, adminUrl } = parts.postgres;
    const member = `SELECT pg_has_role('pg_monitor', 'MEMBER') AS monitors`;
    expect(await rowsOf(metricsUrl, member)).toEqual([{ monitors: true }]);
    const inCreators = metricsUrl.replace(/postgres$/, 'creators');
    await expect(rowsOf(inCreators, 'SELECT 1')).rejects.toThrow('permission denied for database "creators"');
    await expect(rowsOf(metricsUrl, 'CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
    const rights = `SELECT rolsuper OR rolcreaterole OR rolcreatedb AS much FROM pg_roles WHERE rolname = 'metrics'`;
    expect(await rowsOf(adminUrl, rights)).toEqual([{ much: false }]);
  });

  it("ends a service's session that is idle in a transaction, and frees its locks", async () => {
    const { urls, migrationUrls } = parts.postgres;
    const timeout = 'SHOW idle_in_transaction_session_timeout';
    for (const name of services)
      expect(await rowsOf(urls[name], timeout)).toEqual([{ idle_in_transaction_session_timeout: '8s' }]);
    // Migrations and backups have longer limits, because they also wait for other systems.
    expect(await rowsOf(migrationUrls.creators, timeout)).toEqual([
      { idle_in_transaction_session_timeout: '1min' },
    ]);
    await rowsOf(migrationUrls.creators, 'CREATE TABLE counted (n int); INSERT INTO counted VALUES (0)');
    const hung = new pg.Client({ connectionString: urls.creators });
    const ended = new Promise<Error>((resolve) => void hung.on('error', resolve));
    await hung.connect();
    await hung.query('BEGIN; UPDATE counted SET n = 1');
    const change = `SET lock_timeout = '20s'; UPDATE counted SET n = n + 10`;
    await rowsOf(urls.creators, change);
    expect(String(await ended)).toContain('idle-in-transaction timeout');
    expect(await rowsOf(urls.creators, 'SELECT n FROM counted')).toEqual([{ n: 10 }]);
    await rowsOf(migrationUrls.creators, 'DROP TABLE counted');
  });

  it('makes _prisma_migrations read-only for every service, also after a second set-up', async () => {
    await migrateAll(parts);
    const rights = `SELECT privilege_type AS right FROM information_schema.role_table_grants
      WHERE table_name = '_prisma_migrations' AND grantee = current_user`;
    for (const again of [false, true]) {
      if (again) await provision.postgres(parts);
      for (const name of services)
        expect({ name, rights: await rowsOf(parts.postgres.urls[name], rights) }).toEqual({
          name,
          rights: [{ right: 'SELECT' }],
        });
    }
    const forged = 'DELETE FROM _prisma_migrations';
    await expect(rowsOf(parts.postgres.urls.creators, forged)).rejects.toThrow('permission denied');
  });

  it.each(
    services.flatMap((user) =>
      [...databases, 'postgres', 'template1'].map((other) => [user, other] as const),
    ),
  )('lets %s connect to the database %s only if it is its own', async (user, other) => {
    const url = Object.assign(new URL(parts.postgres.urls[user]), { pathname: `/${other}` });
    const entered = rowsOf(url.href, 'SELECT 1').then(
      () => 'in',
      (error: unknown) => String(error),
    );
    expect(await entered).toMatch(user === other ? /^in$/ : /permission denied for database/);
  });

  it.each(['offerings', 'keycloak', 'postgres', 'template1'])(
    'refuses a service the database %s',
    async (database) => {
      const url = Object.assign(new URL(parts.postgres.urlFor('creators')), { pathname: `/${database}` });
      await expect(rowsOf(url.href, 'SELECT 1')).rejects.toThrow('permission denied for database');
    },
  );

  it('lets the replication user of CloudNativePG connect to postgres only, for pg_rewind', async () => {
    const { adminUrl } = parts.postgres;
    // Like the operator's role, except that it logs in with a password instead of a certificate.
    await rowsOf(adminUrl, `CREATE ROLE streaming_replica REPLICATION LOGIN PASSWORD 'replica'`);
    const url = Object.assign(new URL(adminUrl), { username: 'streaming_replica', password: 'replica' }).href;
    await expect(rowsOf(url, 'SELECT 1')).rejects.toThrow('permission denied for database');

    await provision.postgres(parts);
    await expect(rowsOf(url, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    const own = Object.assign(new URL(url), { pathname: '/creators' }).href;
    await expect(rowsOf(own, 'SELECT 1')).rejects.toThrow('permission denied for database');
  });

  it('refuses a wrong password', async () => {
    const url = Object.assign(new URL(parts.postgres.urlFor('creators')), { password: 'guess' });
    await expect(rowsOf(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });
});

describe('NATS', () => {
  const as = async <T>(user: NatsUser, work: (connection: NatsConnection) => Promise<T>): Promise<T> => {
    const connection = await connect({ servers: parts.nats.url, ...parts.nats.credentials(user) });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };

  it('delivers a request of the gateway to a service, and its reply', async () => {
    await as('creators', async (creators) => {
      creators.subscribe('rpc.creators.echo', {
        callback: (_, message) => void message.respond(message.data),
      });
      await creators.flush();
      const answer = await as('gateway', (gateway) => gateway.request('rpc.creators.echo', 'hello'));
      expect(answer.string()).toBe('hello');
    });
  });

  it.each(['creators', 'identity', 'provision'] as const)('denies %s requests to a service', async (user) => {
    const asking = as(user, (connection) => connection.request('rpc.offerings.list', '', { timeout: 500 }));
    await expect(asking).rejects.toThrow();
  });

  it('lets a service subscribe to its own requests only', async () => {
    const listening = as('creators', async (connection) => {
      for await (const message of connection.subscribe('rpc.offerings.>')) return message;
      return undefined;
    });
    await expect(listening).rejects.toThrow(/permission/i);
  });

  it('keeps events in file-backed streams with a maximum age', async () => {
    const { streams } = await as('provision', async (connection) => {
      const { streams } = await jetstreamManager(connection);
      return { streams: await Promise.all(['EVENTS', 'DEAD'].map((name) => streams.info(name))) };
    });
    const [events, dead] = streams.map(({ config }) => config);
    const day = 86_400 * 1e9;
    expect(events).toMatchObject({
      subjects: ['events.>'],
      storage: 'file',
      max_age: 30 * day,
      duplicate_window: 600e9,
    });
    expect(dead).toMatchObject({ subjects: ['dead.>'], storage: 'file', max_age: 90 * day });
  });

  const api = { apiPrefix: '$JS.STREAMS.API' };

  it('creates a consumer for each service, which reads only its own and changes none', async () => {
    await as('offerings', async (connection) => {
      const { consumers } = await jetstreamManager(connection, { ...api, checkAPI: false, timeout: 500 });
      const own = await consumers.info('EVENTS', 'offerings');
      expect(own.config).toMatchObject({
        filter_subjects: [
          'events.creators.payeeNoted',
          'events.creators.reviewed',
          'events.identity.closed',
          'events.identity.linkChangeUndone',
        ],
        ack_policy: 'explicit',
      });
      await expect(consumers.info('EVENTS', 'creators')).rejects.toThrow();
      await expect(
        consumers.update('EVENTS', 'offerings', { filter_subjects: ['events.>'] }),
      ).rejects.toThrow();
      await expect(consumers.delete('EVENTS', 'offerings')).rejects.toThrow();
    });
  });

  it('lets the gateway read events but not the consumer of a service', async () => {
    await as('creators', async (connection) => {
      await jetstream(connection).publish('events.creators.changed', 'fact');
      await expect(
        jetstream(connection).publish('events.media.changed', 'forged', { timeout: 500 }),
      ).rejects.toThrow();
    });
    await as('gateway', async (connection) => {
      const { direct } = await jetstreamManager(connection, { ...api, checkAPI: false, timeout: 2_000 });
      const read = await direct.getMessage('EVENTS', { seq: 1, next_by_subj: 'events.creators.changed' });
      expect(read?.string()).toBe('fact');
      await expect(
        jetstream(connection, api)
          .consumers.get('EVENTS', 'offerings')
          .then((it) => it.next({ expires: 1_000 })),
      ).rejects.toThrow();
    });
  });

  // The API calls of the commands in docs/operate/events.md.
  it('lets an operator read a dead letter and republish its event only as the service that owns it', async () => {
    const letter = { id: 'event-1', subject: 'events.offerings.published', reason: 'x', payload: '{"a":1}' };
    const dead = 'dead.creators.events.offerings.published';
    await as('creators', (connection) => jetstream(connection).publish(dead, JSON.stringify(letter)));

    await as('provision', async (connection) => {
      const { streams } = await jetstreamManager(connection);
      const { last_seq: seq } = (await streams.info('DEAD')).state;
      expect((await streams.getMessage('DEAD', { seq }))?.json()).toEqual(letter);
      expect(await streams.deleteMessage('DEAD', seq)).toBe(true);
    });

    const again = (user: NatsUser) =>
      as(user, (connection) =>
        jetstream(connection).publish(letter.subject, letter.payload, { msgID: letter.id, timeout: 500 }),
      );
    for (const user of ['provision', 'creators', 'gateway'] as const)
      await expect(again(user)).rejects.toThrow();
    expect(await again('offerings')).toMatchObject({ stream: 'EVENTS', duplicate: false });
    expect(await again('offerings')).toMatchObject({ stream: 'EVENTS', duplicate: true });

    const elsewhere = { ...parts.nats.credentials('provision'), inboxPrefix: '_INBOX' };
    const connection = await connect({ servers: parts.nats.url, ...elsewhere, timeout: 2_000 });
    await expect(jetstreamManager(connection, { timeout: 500 })).rejects.toThrow();
    await connection.close();
  });
});
