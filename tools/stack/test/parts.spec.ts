import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startParts, type NatsUser, type Parts } from '../src/index.ts';
import { provision } from '../src/provision/provision.ts';
import { signedRequests } from '../src/provision/minio-admin.ts';

let parts: Parts;
beforeAll(async () => {
  // A first run has to build them.
  parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
}, 600_000);
afterAll(() => parts.stop());

it.each(['postgres', 'nats', 'minio'] as const)('can prepare %s again without harm', async (name) => {
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

  it('lets a service into its own database with the extensions it may need', async () => {
    const url = parts.postgres.urlFor('creators');
    const [row] = await rowsOf(
      url,
      `SELECT 'A'::citext = 'a' AS same, unaccent('é') AS plain, similarity('a', 'a')`,
    );
    expect(row).toEqual({ same: true, plain: 'e', similarity: 1 });
    await rowsOf(url, 'CREATE TABLE mine (id int); DROP TABLE mine');
  });

  it.each(['offerings', 'keycloak', 'postgres', 'template1'])(
    'keeps a service out of %s',
    async (database) => {
      const url = Object.assign(new URL(parts.postgres.urlFor('creators')), { pathname: `/${database}` });
      await expect(rowsOf(url.href, 'SELECT 1')).rejects.toThrow('permission denied for database');
    },
  );

  it('lets nobody in without the password', async () => {
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

  it('carries a request of the gateway to a service and the answer back', async () => {
    await as('creators', async (creators) => {
      creators.subscribe('rpc.creators.echo', {
        callback: (_, message) => void message.respond(message.data),
      });
      await creators.flush();
      const answer = await as('gateway', (gateway) => gateway.request('rpc.creators.echo', 'hello'));
      expect(answer.string()).toBe('hello');
    });
  });

  it.each(['creators', 'identity', 'provision'] as const)('lets %s ask nobody', async (user) => {
    const asking = as(user, (connection) => connection.request('rpc.offerings.list', '', { timeout: 500 }));
    await expect(asking).rejects.toThrow();
  });

  it('lets a service listen to its own requests only', async () => {
    const listening = as('creators', async (connection) => {
      for await (const message of connection.subscribe('rpc.offerings.>')) return message;
      return undefined;
    });
    await expect(listening).rejects.toThrow(/permission/i);
  });

  it('keeps events in streams that are synced and bounded', async () => {
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

  it('lets a service use the consumer that bears its name and no other', async () => {
    await as('offerings', async (connection) => {
      const { consumers } = await jetstreamManager(connection);
      const own = await consumers.add('EVENTS', {
        durable_name: 'offerings',
        filter_subjects: ['events.creators.>'],
      });
      expect(own.name).toBe('offerings');
      await expect(consumers.add('EVENTS', { durable_name: 'creators' })).rejects.toThrow();
    });
  });

  it('lets the gateway follow events but not take those of a service', async () => {
    await as('creators', async (connection) => {
      const { jetstream } = await import('@nats-io/jetstream');
      await jetstream(connection).publish('events.creators.changed', 'fact');
      await expect(
        jetstream(connection).publish('events.media.changed', 'forged', { timeout: 500 }),
      ).rejects.toThrow();
    });
    await as('gateway', async (connection) => {
      const { jetstream } = await import('@nats-io/jetstream');
      const consumer = await jetstream(connection).consumers.get('EVENTS', { name_prefix: 'gateway-events' });
      expect((await consumer.next({ expires: 2_000 }))?.string()).toBe('fact');
      await expect(
        jetstream(connection)
          .consumers.get('EVENTS', 'offerings')
          .then((it) => it.next({ expires: 1_000 })),
      ).rejects.toThrow();
    });
  });
});

describe('MinIO', () => {
  const asMedia = () => signedRequests(parts.minio.endpoint, parts.minio.media);

  it('lets the media service read, write and list in its buckets', async () => {
    for (const bucket of Object.values(parts.minio.buckets)) {
      await asMedia()('PUT', `/${bucket}/a.txt`, 'text');
      expect((await asMedia()('GET', `/${bucket}?list-type=2`)).text).toContain('<Key>a.txt</Key>');
    }
  });

  it.each([
    ['PUT', '/another-bucket'],
    ['DELETE', '/stoa-files'],
    ['GET', '/minio/admin/v3/list-users'],
  ])('keeps it from %s %s', async (method, path) => {
    await expect(asMedia()(method, path)).rejects.toThrow('AccessDenied');
  });

  it('shows everybody a public picture by its name, and nothing else', async () => {
    const { endpoint } = parts.minio;
    await asMedia()('PUT', '/stoa-public/a.txt', 'text');
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${endpoint}${path}`, { method })).status;

    expect(await status('/stoa-public/a.txt')).toBe(200);
    expect(await status('/stoa-public?list-type=2')).toBe(403);
    expect(await status('/stoa-public/a.txt', 'DELETE')).toBe(403);
    expect(await status('/stoa-files/a.txt')).toBe(403);
    expect(await status('/stoa-staging/a.txt')).toBe(403);
  });

  it('lets the site of this checkout read across origins, and no other', async () => {
    const allowed = async (origin: string) => {
      const response = await fetch(`${parts.minio.endpoint}/stoa-public/a.txt`, { headers: { origin } });
      return response.headers.get('access-control-allow-origin');
    };
    expect(await allowed(parts.siteUrl)).toBe(parts.siteUrl);
    expect(await allowed('http://elsewhere.example')).toBeNull();
  });
});
