import { jetstream, type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { withClient } from '../provision/databases.ts';
import { announcingServices } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** An event that a consumer gave up on, or one in an outbox that the stream refused for good. */
export interface DeadLetter {
  /** The place in the stream DEAD, such as `7`; of an outbox its service and row, such as `offerings/12`. */
  readonly id: string;
  /** Who could not handle it, or not announce it. */
  readonly service: string;
  readonly subject: string;
  readonly at: Date;
  readonly reason: string;
  readonly payload: string;
}

/** What consumers of `libs/messaging` put into DEAD. */
const Letter = z.object({
  id: z.string(),
  subject: z.string(),
  reason: z.string(),
  payload: z.string(),
  /** The event's place in EVENTS; letters of older releases do not tell it. */
  sequence: z.int().optional(),
});

type Service = (typeof announcingServices)[number];
type Where = { readonly seq: number } | { readonly service: Service; readonly row: string };

/** Lists, announces again and removes dead letters, on the parts that `parts` describes. */
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

  /** Those of the stream, oldest first, then those of the outboxes. */
  async *list(): AsyncGenerator<DeadLetter> {
    for await (const message of this.#inStream()) yield fromStream(message);
    for (const service of announcingServices)
      for (const row of await this.#setAside(service)) yield fromOutbox(service, row);
  }

  /** @throws Problem for a letter that is not there. */
  async find(id: string): Promise<DeadLetter> {
    const where = placeOf(id);
    if ('seq' in where) return fromStream(await this.#message(id, where.seq));
    const [row] = await this.#setAside(where.service, where.row);
    if (!row) throw missing(id);
    return fromOutbox(where.service, row);
  }

  /**
   * Has the event announced again under its own id, which who has applied it ignores, and removes the letter with those of
   * other services about the same event, which hear of it too. Answers which were removed.
   *
   * @throws Problem where that cannot be, and the letter stays.
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

  /** Removes the letter, and with it the event's effect for good. @throws Problem for one that is not there. */
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

  // Of the letter only the event's position is trusted: its writer need not be the owner of the event.
  async #announceAgain(id: string, seq: number): Promise<string[]> {
    const letter = letterIn(await this.#message(id, seq));
    const event = letter?.sequence
      ? await this.#streams.getMessage('EVENTS', { seq: letter.sequence })
      : undefined;
    if (!letter || event?.subject !== letter.subject || event.header.get('Nats-Msg-Id') !== letter.id)
      throw new Problem(`Letter ${id} stays: its event is no longer in the stream EVENTS.`);
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

  /** Which letters there are about an event, read once: a letter that comes after an announcement is about that one. */
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
    // The first of a stream that never held any is 0, which names no message.
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

/** What the event said beside its facts; the client sets the id anew, and the server what it says itself. */
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
  throw new Problem(`“${id}” names no letter: it looks like 7 or offerings/12.`);
}

const missing = (id: string) => new Problem(`There is no letter ${id}.`);
