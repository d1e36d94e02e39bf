import {
  inRepository,
  makeCertificates,
  migrateAll,
  trustOnlyAuthority,
  type Parts,
  run,
  startParts,
} from '@stoa/system';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, get as getPlain, type IncomingMessage } from 'node:http';
import { createServer, get } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startImage } from './image-process.ts';

let proven: Parts;
let plain: Parts;
let stranger: string;
// Clients check Keycloak's certificate before the first request, so any server with its certificate is
// enough.
let keycloak: Server;
let plainKeycloak: Server;
beforeAll(async () => {
  const only = ['postgres', 'nats', 'minio'] as const;
  [proven, plain] = await Promise.all([startParts({ only, tls: true }), startParts({ only, tls: false })]);
  stranger = await makeCertificates(join(proven.dir, 'stranger'));
  const folder = join(proven.certificates ?? '', 'keycloak');
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name)));
  const answer = '{"keys":[],"access_token":"t","expires_in":60}';
  keycloak = createServer({ cert, key }, (_request, response) => response.end(answer)).listen(0, '127.0.0.1');
  plainKeycloak = createPlainServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
  await Promise.all([keycloak, plainKeycloak].map((server) => once(server, 'listening')));
}, 600_000);
afterAll(async () => {
  for (const server of [keycloak, plainKeycloak]) server.close();
  await Promise.all([proven.stop(), plain.stop()]);
});

const keycloakUrl = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
const built = (path: string) => JSON.stringify(inRepository(path));

/** The clients of each app, as in its image. `at` returns the address of a TLS server. */
const clients: [name: string, at: (parts: Parts, keycloak: Server) => string, connect: string][] = [
  [
    'a service to Postgres',
    ({ postgres }) => postgres.urls.media.replace(/(\?.*)?$/, '?sslmode=verify-full'),
    `const { Database } = await import(${built('libs/platform/dist/database.js')});
     await new Database({ DATABASE_URL: at }).ping();`,
  ],
  [
    'the gate before a service to Postgres',
    ({ postgres }) => postgres.urls.media.replace(/(\?.*)?$/, '?sslmode=verify-full'),
    `const { missingMigrations } = await import(${built('libs/platform/dist/migrations.js')});
     await missingMigrations(at, ${built('apps/media/prisma/migrations')});`,
  ],
  [
    'a process to NATS',
    ({ nats }) => nats.url.replace('nats:', 'tls:'),
    `const { busConnection } = await import(${built('libs/messaging/dist/connection.js')});
     const { connect } = await import('@nats-io/transport-node');
     const { NATS_USER: user, NATS_PASSWORD: password } = JSON.parse(process.env.SETTINGS);
     const once = { waitOnFirstConnect: false, reconnect: false };
     await connect({ ...busConnection({ url: at, user, password, name: user }), ...once });`,
  ],
  [
    'media to the store',
    ({ minio }) => minio.endpoint.replace('http:', 'https:'),
    `const { StorageClient } = await import(${built('apps/media/dist/storage/storage.client.js')});
     const settings = { ...JSON.parse(process.env.SETTINGS), S3_ENDPOINT: at };
     await new StorageClient(settings).findPosted('nothing');`,
  ],
  [
    'edge to the store and to Keycloak, which browsers know by other names',
    ({ minio }) => minio.endpoint.replace('http:', 'https:'),
    `const { createReverseProxy } = await import(${built('apps/edge/dist/proxy/reverse-proxy.js')});
     const options = { name: 'proxy', upstream: at, trustProxy: () => false, requestMs: 5000, answerMs: 5000, headers: {} };
     const proxy = await createReverseProxy({ ...options, refuse: (_request, reply, status) => reply.code(status).send() });
     let reason;
     proxy.get('/', (_request, reply) =>
       reply.from('/', { rewriteRequestHeaders: () => ({ host: 'accounts.example.com' }), onError: (_reply, { error }) => ((reason = error), reply.code(503).send()) }));
     await proxy.inject('/');
     if (reason) throw reason;`,
  ],
  [
    'identity to Keycloak',
    (_parts, server) => keycloakUrl(server),
    `const { KeycloakClient } = await import(${built('apps/identity/dist/keycloak/keycloak.client.js')});
     const client = new KeycloakClient({ KEYCLOAK_URL: at, KEYCLOAK_REALM: 'stoa' });
     await client.endSession('none');`,
  ],
  [
    'the gateway to Keycloak',
    (_parts, server) => keycloakUrl(server),
    `const { signingKeys } = await import(${built('apps/gateway/dist/auth/signing-keys.js')});
     const header = { alg: 'ES256', kid: 'x' };
     const error = await signingKeys(at)(header, { payload: '', signature: '' }).catch((reason) => reason);
     // The TLS connection succeeded if only the key is missing in the answer.
     if (error.code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error.cause;`,
  ],
];

describe.each(clients)('%s', (_name, at, connect) => {
  /**
   * Whether the client connects. It is a process of its own, because Node reads its trusted authorities only
   * at its start.
   */
  const connected = (address: string, authority: string) => {
    const script = `const at = process.env.AT; try { ${connect} } catch (error) { console.error(error); process.exit(1); } process.exit(0);`;
    const env = {
      ...trustOnlyAuthority(authority),
      PATH: process.env['PATH'],
      AT: address,
      SETTINGS: JSON.stringify(proven.environments.media),
    };
    return run(process.execPath, ['--input-type=module', '-e', script], { cwd: inRepository(), env });
  };

  it('accepts a certificate of the given authority [images-3]', async () => {
    await expect(connected(at(proven, keycloak), proven.certificates ?? '')).resolves.toBeDefined();
  });

  it('refuses a certificate of another authority [images-4]', async () => {
    await expect(connected(at(proven, keycloak), stranger)).rejects.toThrow(/certificate/i);
  });

  it('refuses a server without TLS [images-5]', async () => {
    await expect(connected(at(plain, plainKeycloak), proven.certificates ?? '')).rejects.toThrow(
      /SSL|EPROTO|wrong version number|does not support 'tls'/,
    );
  });
});

describe('with parts that accept TLS only', () => {
  beforeAll(() => migrateAll(proven), 300_000);

  // Tests only media, because the other services connect to the same parts with the same code.
  it('media becomes ready', async () => {
    const image = await startImage(inRepository(), 'media', proven.environments.media);
    try {
      await expect(image.ready()).resolves.toEqual({ ready: true, missing: [] });
    } finally {
      await image.stop();
    }
  });

  it.each(['gateway', 'edge'] as const)(
    '%s becomes ready and serves HTTPS with its certificate [images-6]',
    async (app) => {
      const folder = proven.certificates ?? '';
      const environment = { ...proven.environments[app], TLS_DIR: join(folder, app) };
      const image = await startImage(inRepository(), app, environment);
      try {
        await expect(image.ready()).resolves.toEqual({ ready: true, missing: [] });
        expect(image.ports.length).toBeGreaterThan(0);
        for (const port of image.ports) {
          await expect(statusOf('https', port, folder)).resolves.toMatch(/^(200|403|404)$/);
          await expect(statusOf('https', port, stranger)).rejects.toThrow(/certificate/i);
          await expect(statusOf('http', port, folder)).rejects.toThrow(
            /hang up|ECONNRESET|other side closed/,
          );
        }
      } finally {
        await image.stop();
      }
    },
  );
});

/** The status of an answer to a client that trusts this authority, like an ingress controller. */
function statusOf(scheme: 'http' | 'https', port: number, authority: string): Promise<string> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/',
    ca: readFileSync(join(authority, 'ca.crt')),
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const sent = scheme === 'https' ? get(options, settle) : getPlain(options, settle);
    sent.on('error', reject);
    function settle(answer: IncomingMessage) {
      answer.resume();
      resolve(String(answer.statusCode));
    }
  });
}

it('Postgres with a certificate refuses a connection without TLS', async () => {
  const url = new URL(proven.postgres.urls.creators);
  url.search = '';
  const client = new pg.Client({ connectionString: url.href });
  await expect(client.connect()).rejects.toThrow(/no encryption/);
});

it('the object store with a certificate refuses plain HTTP', async () => {
  const answer = await fetch(proven.minio.endpoint.replace('https:', 'http:'));
  expect(answer.status).toBe(400);
});
