import type { Event, Facts } from '@stoa/contracts';
import { type ConsumerMessages, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

interface Seen {
  readonly subject: string;
  readonly facts: unknown;
}

/** Records all messages of the event stream and the dead letters. */
export class EventTap {
  readonly #seen: Seen[] = [];
  readonly #open: ConsumerMessages[];
  #changed = Promise.withResolvers<void>();

  private constructor(open: ConsumerMessages[]) {
    this.#open = open;
    for (const messages of open) void this.#read(messages);
  }

  static async open(connection: NatsConnection): Promise<EventTap> {
    const { consumers } = jetstream(connection);
    const taps = ['EVENTS', 'DEAD'].map(async (stream) => (await consumers.get(stream)).consume());
    return new EventTap(await Promise.all(taps));
  }

  /** Resolves to the facts of the first past or future `event` that `matches`. */
  async next<E extends Event>(
    event: E,
    matches: (facts: Facts<E>) => boolean = () => true,
  ): Promise<Facts<E>> {
    for (;;) {
      const changed = this.#changed.promise;
      const found = this.all(event).find(matches);
      if (found) return found;
      await changed;
    }
  }

  /** The facts of all `event` messages so far. */
  all<E extends Event>(event: E): Facts<E>[] {
    return this.#seen
      .filter(({ subject }) => subject === event.subject)
      .map(({ facts }) => facts as Facts<E>);
  }

  /** Resolves to the first dead letter on a subject that ends with `subject`. */
  async nextDeadLetter(subject: string): Promise<unknown> {
    for (;;) {
      const changed = this.#changed.promise;
      const found = this.#seen.find(
        (seen) => seen.subject.startsWith('dead.') && seen.subject.endsWith(subject),
      );
      if (found) return found.facts;
      await changed;
    }
  }

  /** All dead letters so far. */
  deadLetters(): unknown[] {
    return this.#seen.filter(({ subject }) => subject.startsWith('dead.')).map(({ facts }) => facts);
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((messages) => messages.close()));
  }

  async #read(messages: ConsumerMessages): Promise<void> {
    for await (const message of messages) {
      this.#seen.push({ subject: message.subject, facts: message.json() });
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    }
  }
}
