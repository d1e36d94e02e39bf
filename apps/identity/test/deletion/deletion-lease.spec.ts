import { realmSettings, type ServiceUnderTest, startServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';

const connected: Socket[] = [];
/** A mail server that sends a greeting and then never answers. */
const mailServer = createServer((socket) => {
  connected.push(socket);
  socket.on('error', () => undefined).write('220 wait.test\r\n');
});
let service: ServiceUnderTest;
let client: Client;

beforeAll(async () => {
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  const { port } = mailServer.address() as AddressInfo;
  service = await startServiceUnderTest(IdentityModule, {
    service: 'identity',
    folder: new URL('../../', import.meta.url),
    environment: { ...realmSettings(), SMTP_URL: `smtp://127.0.0.1:${port}` },
  });
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  for (const socket of connected) socket.destroy();
  mailServer.close();
  await client.end();
  await service.stop();
});

interface Lease {
  readonly attempts: number;
  readonly until: Date;
  readonly isShort: boolean;
}

async function leaseOf(uid: string): Promise<Lease | undefined> {
  const { rows } = await client.query<Lease>(
    `SELECT attempts, next_try_at AS until, next_try_at < now() + interval '21 seconds' AS "isShort"
       FROM account_deletion WHERE uid = $1`,
    [uid],
  );
  return rows[0];
}

test('a deletion is leased for seconds, and renewed while its step runs', async () => {
  const uid = randomUUID();
  await client.query(
    `INSERT INTO account_deletion (id, uid, address, removed_at, erased)
     VALUES (gen_random_uuid(), $1, 'leaver@example.test', now(), $2)`,
    [uid, { creators: {}, offerings: {}, media: {}, contact: {} }],
  );
  await waitFor(() => expect(connected).toHaveLength(1), { timeout: 15_000 });
  const taken = await leaseOf(uid);
  expect(taken).toMatchObject({ attempts: 1, isShort: true });
  const renewed = async () => {
    const lease = await leaseOf(uid);
    expect(lease?.attempts).toBe(1);
    expect(lease?.until.getTime()).toBeGreaterThan(taken?.until.getTime() ?? Infinity);
  };
  await waitFor(renewed, { timeout: 9000 });
});
