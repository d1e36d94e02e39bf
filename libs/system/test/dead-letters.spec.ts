import { jetstream, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
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
import { announcingServices } from '../src/settings/names.ts';
import { natsConnections } from '../src/testing/nats-connections.ts';

const subject = 'events.offerings.published';
const dead = `dead.creators.${subject}`;
const facts = JSON.stringify({ number: 1 });
let parts: Parts;
let manager: JetStreamManager;
const { as, close } = natsConnections(() => parts.nats);

beforeAll(async () => {
  parts = await startParts({ only: ['postgres', 'nats'] });
  const table = readFileSync(inRepository('libs/messaging/tables/outbox.sql'), 'utf8');
  for (const service of announcingServices)
    await withClient(parts.postgres.migrationUrls[service], (client) => client.query(table));
  manager = await jetstreamManager(await as('provision'));
  // Shorter than the product's ten minutes.
  await manager.streams.update('EVENTS', { duplicate_window: nanos(200) });
}, 600_000);
afterAll(async () => {
  await close();
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

/** Runs the command with the environment of the Job. */
async function deadLetters(...args: string[]): Promise<string[]> {
  const { nats, postgres } = parts;
  const users = [...announcingServices, 'provision'] as const;
  const variable = (part: string, user: string) => `${part}_${user.toUpperCase()}_PASSWORD`;
  const env = {
    PATH: process.env['PATH'],
    NATS_URL: nats.url,
    POSTGRES_ADDRESS: new URL(postgres.adminUrl).host,
    ...Object.fromEntries(users.map((user) => [variable('NATS', user), nats.credentials(user).pass])),
    ...Object.fromEntries(
      announcingServices.map((user) => [variable('POSTGRES', user), new URL(postgres.urls[user]).password]),
    ),
  };
  const program = inRepository('tools/stack/src/main.ts');
  return (await run(process.execPath, [program, 'dead-letters', ...args], { env })).split('\n');
}

/** Publishes an event and its dead letter. Returns the sequence numbers of both. */
async function bury(id: string) {
  const { seq } = await jetstream(await as('offerings')).publish(subject, facts, { msgID: id });
  return { event: seq, letter: await buryEvent(id, seq) };
}

/** Publishes the dead letter of one consumer. Returns its sequence number. */
async function buryEvent(id: string, sequence: number, by: NatsUser = 'creators') {
  const letter = { id, subject, sequence, reason: 'Broken.', payload: facts };
  const { seq } = await jetstream(await as(by)).publish(`dead.${by}.${subject}`, JSON.stringify(letter));
  return String(seq);
}

const setAside = async () => {
  const [row] = await inOutbox(
    `INSERT INTO outbox (event_id, subject, payload, headers, attempts, retry_at, failure)
     VALUES (gen_random_uuid(), '${subject}', '${facts}', '{}', 10, 'infinity', 'max_payload') RETURNING id`,
  );
  return `offerings/${String(row?.['id'])}`;
};

const lastEvent = async () => (await manager.streams.info('EVENTS')).state.last_seq;

it('lists dead letters of consumers and set-aside events of outboxes, without their payload', async () => {
  const { letter } = await bury('listed');
  const row = await setAside();
  const lines = await deadLetters('list');
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${letter} .* creators +${subject} +Broken\\.$`)),
    expect.stringMatching(new RegExp(`^${row} .* offerings +${subject} +max_payload$`)),
  ]);
  expect(lines.join()).not.toContain('number');
});

it('lists nothing for a stream that was always empty', async () => {
  const { config } = await manager.streams.info('DEAD');
  await manager.streams.delete('DEAD');
  await manager.streams.add(config);
  expect(await deadLetters('list')).toEqual(['There are no dead letters.']);
});

it('shows a letter with its payload', async () => {
  const { letter } = await bury('shown');
  expect(JSON.parse((await deadLetters('show', letter)).join('\n'))).toMatchObject({
    id: letter,
    service: 'creators',
    payload: facts,
  });
  const row = await setAside();
  expect(JSON.parse((await deadLetters('show', row)).join('\n'))).toMatchObject({ id: row, subject });
});

it('replays an event under its own id, and removes the dead letter', async () => {
  const { event, letter } = await bury('again');
  await waitFor(async () => expect(await deadLetters('replay', letter)).toEqual([`${letter}: replayed`]), {
    timeout: 60_000,
  });
  const again = await manager.streams.getMessage('EVENTS', { seq: await lastEvent() });
  expect(again?.seq).toBeGreaterThan(event);
  expect(again?.subject).toBe(subject);
  expect(again?.header.get('Nats-Msg-Id')).toBe('again');
  expect(again?.string()).toBe(facts);
  expect(await deadLetters('list')).toEqual(['There are no dead letters.']);
});

it.each(['--all', 'named'])('replays an event with two dead letters once (%s)', async (way) => {
  const { event, letter } = await bury(`shared ${way}`);
  const other = await buryEvent(`shared ${way}`, event, 'media');
  const replay = () => deadLetters('replay', ...(way === '--all' ? ['--all'] : [letter, other]));
  const lines = [letter, other].map((id) => `${id}: replayed`);
  await waitFor(async () => expect(await replay()).toEqual(lines), { timeout: 60_000 });
  expect(await lastEvent()).toBe(event + 1);
  expect(await deadLetters('list')).toEqual(['There are no dead letters.']);
});

it('keeps a dead letter whose replay the stream would deduplicate', async () => {
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

it('refuses to replay an event that its owner did not publish', async () => {
  const forged = JSON.stringify({
    id: 'forged',
    subject: 'events.identity.closed',
    sequence: await lastEvent(),
  });
  const letter = { ...(JSON.parse(forged) as object), reason: 'Broken.', payload: '{"uid":"x"}' };
  await jetstream(await as('creators')).publish(dead, JSON.stringify(letter));
  const before = await lastEvent();
  await expect(deadLetters('replay', '--all')).rejects.toThrow(
    /stays: the stream EVENTS no longer contains its event/,
  );
  expect(await lastEvent()).toBe(before);
  expect(await deadLetters('list')).toHaveLength(1);
});

it('lets the outbox relay retry an event that was set aside', async () => {
  const row = await setAside();
  expect(await deadLetters('replay', row)).toEqual([`${row}: replayed`]);
  expect(await inOutbox('SELECT attempts, retry_at FROM outbox')).toEqual([{ attempts: 0, retry_at: null }]);
  await expect(deadLetters('drop', row)).rejects.toThrow(`There is no letter ${row}.`);
});

it('drops named dead letters, or all, and reports unknown ones', async () => {
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
