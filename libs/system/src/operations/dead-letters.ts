import { jetstream, type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { withClient } from '../provision/databases.ts';
import { announcingServices } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** An event that a consumer could not handle, or one in an outbox that the stream refused permanently. */
export interface DeadLetter {
  /**
   * The sequence number in the stream DEAD, such as `7`, or service and row of an outbox, such as
   * `offerings/12`.
   */
  readonly id: string;
  /** The service that could not handle or publish the event. */
  readonly service: string;
  readonly subject: string;
  readonly at: Date;
  readonly reason: string;
  readonly payload: string;
}

/** The format in which consumers of `libs/messaging` write to DEAD. */
const Letter = z.object({
  id: z.string(),
  subject: z.string(),
  reason: z.string(),
  payload: z.string(),
  /** The event's sequence number in EVENTS. */
  sequence: z.int(),
});

type Service = (typeof announcingServices)[number];
type Where = { readonly seq: number } | { readonly service: Service; readonly row: string };

/** Lists, replays and removes dead letters of the parts that `parts` describes. */
export class DeadLetters {
  readonly #parts: PartsDescription;
  readonly #connection: NatsConnection;
  readonly #streams: JetStreamManager['streams'];
  #places: Promise<Map<string, number[]>> | undefined;

  private constructor(parts: PartsDescription, connection: NatsConnection, manager: JetStreamManager) {
    this.#parts = parts;
    this.#connection = connection;
    this.#streams = manager.streams;
  }

  static async open(parts: PartsDescription): Promise<DeadLetters> {
    const connection = await connectAs(parts, 'provision');
    return new DeadLetters(parts, connection, await jetstreamManager(connection, { timeout: 10_000 }));
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** The letters of the stream, oldest first, then those of the outboxes. */
  async *list(): AsyncGenerator<DeadLetter> {
    for await (const message of this.#inStream()) yield fromStream(message);
    for (const service of announcingServices)
      for (const row of await this.#setAside(service)) yield fromOutbox(service, row);
  }

  /** @throws Problem if the letter does not exist. */
  async find(id: string): Promise<DeadLetter> {
    const where = placeOf(id);
    if ('seq' in where) return fromStream(await this.#message(id, where.seq));
    const [row] = await this.#setAside(where.service, where.row);
    if (!row) throw missing(id);
    return fromOutbox(where.service, row);
  }

  /**
   * Publishes the event again under its own id, which services that have applied it ignore. Every consumer
   * receives it, so the letters of other services about the same event are removed too. Returns the removed
   * letters.
   *
   * @throws Problem if the event cannot be replayed; the letter stays.
   */
  async replay(id: string): Promise<string[]> {
    const where = placeOf(id);
    if ('seq' in where) return this.#announceAgain(id, where.seq);
    await this.#change(
      id,
      where.service,
      `WITH again AS (UPDATE outbox SET retry_at = NULL, attempts = 0, failure = NULL
                       WHERE id = $1 AND retry_at = 'infinity' RETURNING 1)
       SELECT pg_notify('outbox', '') FROM again`,
      where.row,
    );
    return [id];
  }

  /**
   * Removes the letter; the service never applies its event. @throws Problem if the letter does not exist.
   */
  async drop(id: string): Promise<void> {
    const where = placeOf(id);
    if ('seq' in where) {
      await this.#message(id, where.seq);
      await this.#streams.deleteMessage('DEAD', where.seq);
    } else {
      const statement = `DELETE FROM outbox WHERE id = $1 AND retry_at = 'infinity'`;
      await this.#change(id, where.service, statement, where.row);
    }
  }

  // Only the event's position is taken from the letter, because any service can write letters.
  async #announceAgain(id: string, seq: number): Promise<string[]> {
    const letter = letterIn(await this.#message(id, seq));
    const event = letter && (await this.#streams.getMessage('EVENTS', { seq: letter.sequence }));
    if (!letter || event?.subject !== letter.subject || event.header.get('Nats-Msg-Id') !== letter.id)
      throw new Problem(`Letter ${id} stays: the stream EVENTS no longer contains its event.`);
    const owner = announcingServices.find((service) => event.subject.startsWith(`events.${service}.`));
    if (!owner) throw new Problem(`Letter ${id} stays: ${event.subject} belongs to no service.`);
    const places = (await this.#placesByEvent()).get(eventOf(letter)) ?? [seq];
    const connection = await connectAs(this.#parts, owner);
    try {
      const { duplicate } = await jetstream(connection).publish(event.subject, event.data, {
        msgID: letter.id,
        headers: carriedOn(event.header),
        timeout: 10_000,
      });
      if (duplicate)
        throw new Problem(`Letter ${id} stays: its event was announced within ten minutes; try again later.`);
    } finally {
      await connection.close();
    }
    for (const place of places) await this.#streams.deleteMessage('DEAD', place);
    return places.map(String);
  }

  /**
   * The places of letters by event, read once before the replay. A letter that arrives later is about the
   * replayed event and stays.
   */
  #placesByEvent(): Promise<Map<string, number[]>> {
    const read = async () => {
      const places = new Map<string, number[]>();
      for await (const message of this.#inStream()) {
        const letter = letterIn(message);
        if (letter) places.set(eventOf(letter), [...(places.get(eventOf(letter)) ?? []), message.seq]);
      }
      return places;
    };
    return (this.#places ??= read());
  }

  async *#inStream(): AsyncGenerator<StoredMsg> {
    const { first_seq: first, last_seq: last } = (await this.#streams.info('DEAD')).state;
    // Starts at 1: a stream that was always empty reports 0 as its first sequence number, which is no
    // message.
    for (let seq = Math.max(first, 1); seq <= last; seq += 1) {
      const message = await this.#streams.getMessage('DEAD', { seq });
      if (message) yield message;
    }
  }

  async #message(id: string, seq: number): Promise<StoredMsg> {
    const message = await this.#streams.getMessage('DEAD', { seq });
    if (!message) throw missing(id);
    return message;
  }

  async #setAside(service: Service, row?: string): Promise<OutboxRow[]> {
    return withClient(this.#parts.postgres.urls[service], async (client) => {
      const { rows } = await client.query<OutboxRow>(
        `SELECT id, subject, created_at AS at, coalesce(failure, '') AS reason, payload::text AS payload
           FROM outbox WHERE retry_at = 'infinity' AND id = coalesce($1, id) ORDER BY outbox.id`,
        [row ?? null],
      );
      return rows;
    });
  }

  async #change(id: string, service: Service, statement: string, row: string): Promise<void> {
    await withClient(this.#parts.postgres.urls[service], async (client) => {
      const { rowCount } = await client.query(statement, [row]);
      if (rowCount !== 1) throw missing(id);
    });
  }
}

type OutboxRow = Omit<DeadLetter, 'service'>;

const connectAs = ({ nats }: PartsDescription, user: Service | 'provision') =>
  connect({ servers: nats.url.split(','), ...nats.users[user], name: 'dead-letters', timeout: 10_000 });

const fromOutbox = (service: Service, row: OutboxRow): DeadLetter => ({
  ...row,
  id: `${service}/${row.id}`,
  service,
});

function fromStream(message: StoredMsg): DeadLetter {
  const [, service = '', ...subject] = message.subject.split('.');
  const letter = letterIn(message);
  return {
    id: String(message.seq),
    service,
    subject: subject.join('.'),
    at: message.time,
    reason: letter?.reason ?? 'The letter cannot be read.',
    payload: letter?.payload ?? message.string(),
  };
}

const letterIn = (message: StoredMsg) => Letter.safeParse(parsed(message)).data;

const eventOf = ({ id, sequence }: z.infer<typeof Letter>) => `${sequence} ${id}`;

function parsed(message: StoredMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/**
 * The headers of the stored event that a replay keeps. The client sets the id again, and the NATS server sets
 * its own headers.
 */
function carriedOn(from: MsgHdrs): MsgHdrs {
  const result = headers();
  for (const name of from.keys()) if (!name.startsWith('Nats-')) result.set(name, from.get(name));
  return result;
}

function placeOf(id: string): Where {
  const [, service, row] = /^(?:([a-z]+)\/)?([1-9]\d{0,15})$/.exec(id) ?? [];
  if (row && service === undefined) return { seq: Number(row) };
  const known = announcingServices.find((name) => name === service);
  if (row && known) return { service: known, row };
  throw new Problem(`“${id}” names no letter: an id is 7 or offerings/12, for example.`);
}

const missing = (id: string) => new Problem(`There is no letter ${id}.`);
