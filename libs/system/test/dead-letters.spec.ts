import { jetstream, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  inRepository,
  type NatsUser,
  type Parts,
  run,
  startParts,
  waitFor,
  withClient,
} from '../src/index.ts';
import { announcing } from '../src/settings/names.ts';

const subject = 'events.offerings.published';
const dead = `dead.creators.${subject}`;
const facts = JSON.stringify({ number: 1 });
let parts: Parts;
let manager: JetStreamManager;
const connections: NatsConnection[] = [];

async function as(user: NatsUser): Promise<NatsConnection> {
  const connection = await connect({ servers: parts.nats.url, ...parts.nats.credentials(user) });
  connections.push(connection);
  return connection;
}

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats'] });
  const table = readFileSync(inRepository('libs/messaging/tables/outbox.sql'), 'utf8');
  for (const service of announcing)
    await withClient(parts.postgres.migrationUrls[service], (client) => client.query(table));
  manager = await jetstreamManager(await as('provision'));
  // Of the product's ten minutes nobody waits out any here.
  await manager.streams.update('EVENTS', { duplicate_window: nanos(200) });
}, 600_000);
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await parts.stop();
});
beforeEach(async () => {
  await manager.streams.purge('DEAD');
  await inOutbox('DELETE FROM outbox');
});

const inOutbox = (statement: string) =>
  withClient(parts.postgres.urls.offerings, async (client) => {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  });

/** The command, with what the Job is given. */
async function deadLetters(...args: string[]): Promise<string[]> {
  const { nats, postgres } = parts;
  const users = [...announcing, 'provision'] as const;
  const variable = (part: string, user: string) => `${part}_${user.toUpperCase()}_PASSWORD`;
  const env = {
    PATH: process.env['PATH'],
    NATS_URL: nats.url,
    POSTGRES_ADDRESS: new URL(postgres.adminUrl).host,
    ...Object.fromEntries(users.map((user) => [variable('NATS', user), nats.credentials(user).pass])),
    ...Object.fromEntries(
      announcing.map((user) => [variable('POSTGRES', user), new URL(postgres.urls[user]).password]),
    ),
  };
  const program = inRepository('tools/stack/src/main.ts');
  return (await run(process.execPath, [program, 'dead-letters', ...args], { env })).split('\n');
}

/** An event on the stream that a consumer could not handle. Answers the places of both. */
async function bury(id: string, by: NatsUser = 'creators') {
  const { seq: sequence } = await jetstream(await as('offerings')).publish(subject, facts, { msgID: id });
  const letter = { id, subject, sequence, reason: 'Broken.', payload: facts };
  const { seq } = await jetstream(await as(by)).publish(`dead.${by}.${subject}`, JSON.stringify(letter));
  return { event: sequence, letter: String(seq) };
}

const setAside = async () => {
  const [row] = await inOutbox(
    `INSERT INTO outbox (event_id, subject, payload, headers, attempts, retry_at, failure)
     VALUES (gen_random_uuid(), '${subject}', '${facts}', '{}', 10, 'infinity', 'max_payload') RETURNING id`,
  );
  return `offerings/${String(row?.['id'])}`;
};

const lastEvent = async () => (await manager.streams.info('EVENTS')).state.last_seq;

it('lists what consumers gave up on and what the stream refused, without what they say', async () => {
  const { letter } = await bury('listed');
  const row = await setAside();
  const lines = await deadLetters('list');
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${letter} .* creators +${subject} +Broken\\.$`)),
    expect.stringMatching(new RegExp(`^${row} .* offerings +${subject} +max_payload$`)),
  ]);
  expect(lines.join()).not.toContain('number');
});

it('shows one with what it says', async () => {
  const { letter } = await bury('shown');
  expect(JSON.parse((await deadLetters('show', letter)).join('\n'))).toMatchObject({
    id: letter,
    service: 'creators',
    payload: facts,
  });
  const row = await setAside();
  expect(JSON.parse((await deadLetters('show', row)).join('\n'))).toMatchObject({ id: row, subject });
});

it('announces an event again under its own id, and removes the letter', async () => {
  const { event, letter } = await bury('again');
  await waitFor(
    async () => expect(await deadLetters('replay', letter)).toEqual([`${letter}: announced again`]),
    { timeout: 60_000 },
  );
  const again = await manager.streams.getMessage('EVENTS', { seq: await lastEvent() });
  expect(again?.seq).toBeGreaterThan(event);
  expect(again?.subject).toBe(subject);
  expect(again?.header.get('Nats-Msg-Id')).toBe('again');
  expect(again?.string()).toBe(facts);
  expect(await deadLetters('list')).toEqual(['There are no dead letters.']);
});

it('keeps a letter whose event the stream would take for one that it has', async () => {
  await manager.streams.update('EVENTS', { duplicate_window: nanos(600_000) });
  try {
    const { event, letter } = await bury('early');
    await expect(deadLetters('replay', letter)).rejects.toThrow(/stays: .* within ten minutes/);
    expect(await lastEvent()).toBe(event);
    expect(await deadLetters('list')).toHaveLength(1);
  } finally {
    await manager.streams.update('EVENTS', { duplicate_window: nanos(200) });
  }
});

it('announces nothing that the owner of the event did not', async () => {
  const forged = JSON.stringify({
    id: 'forged',
    subject: 'events.identity.closed',
    sequence: await lastEvent(),
  });
  const letter = { ...(JSON.parse(forged) as object), reason: 'Broken.', payload: '{"uid":"x"}' };
  await jetstream(await as('creators')).publish(dead, JSON.stringify(letter));
  const before = await lastEvent();
  await expect(deadLetters('replay', '--all')).rejects.toThrow(/stays: its event is no longer/);
  expect(await lastEvent()).toBe(before);
  expect(await deadLetters('list')).toHaveLength(1);
});

it('has the relay try again what was set aside', async () => {
  const row = await setAside();
  expect(await deadLetters('replay', row)).toEqual([`${row}: announced again`]);
  expect(await inOutbox('SELECT attempts, retry_at FROM outbox')).toEqual([{ attempts: 0, retry_at: null }]);
  await expect(deadLetters('drop', row)).rejects.toThrow(`There is no letter ${row}.`);
});

it('removes what is named, or all, and tells of what is not there', async () => {
  const { letter } = await bury('dropped');
  await setAside();
  await expect(deadLetters('drop', letter, '999', 'x')).rejects.toThrow(
    /There is no letter 999\.\n“x” names no letter/,
  );
  expect(await deadLetters('list')).toHaveLength(1);
  await expect(deadLetters('drop')).rejects.toThrow('Name the letters to drop');
  await deadLetters('drop', '--all');
  expect(await deadLetters('list')).toEqual(['There are no dead letters.']);
});
