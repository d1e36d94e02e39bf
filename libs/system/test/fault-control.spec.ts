import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Parts, startParts, waitFor, withClient } from '../src/index.ts';
import { serveControl } from '../src/testing/control-server.ts';

// Processes or containers, as chosen for this run: both have to behave alike.
let parts: Parts;
beforeAll(async () => {
  // The first run on a machine has to build these parts.
  parts = await startParts({ only: ['postgres', 'nats'] });
}, 600_000);
afterAll(() => parts.stop());

/** The names of the streams. A NATS server that is stopped, killed or paused does not answer in time. */
async function streams(): Promise<string[]> {
  const credentials = parts.nats.credentials('provision');
  const connection = await connect({
    servers: parts.nats.url,
    ...credentials,
    timeout: 1000,
    reconnect: false,
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: 1000 });
    return (await manager.streams.names().next()).toSorted();
  } finally {
    // Does not wait for the close, because a server that does not answer would not confirm it.
    void connection.close();
  }
}

/** Acknowledged messages of one subject. */
async function publish(): Promise<void> {
  const connection = await connect({ servers: parts.nats.url, ...parts.nats.credentials('creators') });
  await connection.request('events.creators.test', 'kept', { timeout: 5000 });
  await connection.close();
}

async function messages(): Promise<number> {
  const connection = await connect({ servers: parts.nats.url, ...parts.nats.credentials('provision') });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info('EVENTS', { subjects_filter: 'events.creators.test' });
  await connection.close();
  return state.subjects?.['events.creators.test'] ?? 0;
}

it.each(['stop', 'kill'] as const)(
  'starts NATS again after %s, at the same address and with its data',
  async (verb) => {
    await publish();
    const [kept, before] = [await messages(), await parts.control.runOf('nats')];
    expect(before).toBeDefined();

    await parts.control[verb]('nats');
    expect(await parts.control.runOf('nats')).toBeUndefined();
    await expect(streams()).rejects.toThrow();

    await parts.control.start('nats');
    expect(await messages()).toBe(kept);
    const after = await parts.control.runOf('nats');
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  },
  60_000,
);

it('leaves a part alone that is started while it runs', async () => {
  const before = await parts.control.runOf('nats');
  await parts.control.start('nats');
  expect(await parts.control.runOf('nats')).toBe(before);
});

it('restarts a crashed part by itself', async () => {
  await publish();
  const [kept, before] = [await messages(), await parts.control.runOf('nats')];

  await parts.control.crash('nats');

  const isAnother = async () => expect([undefined, before]).not.toContain(await parts.control.runOf('nats'));
  await waitFor(isAnother);
  await waitFor(async () => expect(await messages()).toBe(kept));
}, 60_000);

it('keeps connections of a paused part open, and answers them after it resumes', async () => {
  const before = await parts.control.runOf('nats');
  const credentials = parts.nats.credentials('gateway');
  const connection = await connect({ servers: parts.nats.url, ...credentials, reconnect: false });
  await connection.flush();

  await parts.control.pause('nats');
  await parts.control.pause('nats');
  await expect(streams()).rejects.toThrow();

  await parts.control.resume('nats');
  await parts.control.resume('nats');
  expect(await waitFor(streams)).toContain('EVENTS');
  // Uses the existing connection, because the user may not open a new one.
  await connection.flush();
  await connection.close();
  expect(await parts.control.runOf('nats')).toBe(before);
}, 60_000);

it('makes NATS read its configuration again without a restart', async () => {
  const before = await parts.control.runOf('nats');
  await parts.control.reload('nats');
  await waitFor(streams);
  expect(await parts.control.runOf('nats')).toBe(before);
}, 60_000);

it.each(['stop', 'kill'] as const)(
  'keeps what Postgres has committed through %s',
  async (verb) => {
    const { adminUrl } = parts.postgres;
    await withClient(adminUrl, async (client) => {
      await client.query('CREATE TABLE IF NOT EXISTS kept (verb text)');
      await client.query('INSERT INTO kept VALUES ($1)', [verb]);
    });

    await parts.control[verb]('postgres');
    await expect(withClient(adminUrl, (client) => client.query('SELECT'))).rejects.toThrow();
    await parts.control.start('postgres');

    await withClient(adminUrl, async (client) => {
      const { rows } = await client.query('SELECT FROM kept WHERE verb = $1', [verb]);
      expect(rows).toHaveLength(1);
    });
  },
  60_000,
);

it('lets another process control parts by its token alone', async () => {
  const server = await serveControl(parts.control);
  const { url, token } = server.address;
  const ask = async (method: string, path: string, authorization = `Bearer ${token}`) => {
    const response = await fetch(`${url}/${path}`, { method, headers: { authorization } });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  try {
    expect(await ask('POST', 'parts/nats/stop', 'Bearer another')).toEqual({ status: 401, body: {} });
    expect(await ask('POST', 'parts/nats/explode')).toEqual({ status: 404, body: {} });
    expect(await ask('GET', 'parts/nats')).toEqual({
      status: 200,
      body: { run: await parts.control.runOf('nats') },
    });
    expect(await ask('POST', 'parts/nats/stop')).toEqual({ status: 200, body: { run: null } });
    const { status } = await ask('POST', 'parts/nats/start');
    expect(status).toBe(200);
    await expect(streams()).resolves.toContain('EVENTS');
  } finally {
    server.close();
  }
}, 60_000);
