import { count, metrics } from '@stoa/telemetry';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { Logger } from '@nestjs/common';

/** Until another attempt to put aside what cannot be put aside now. */
const retryMs = 300_000;

/** The stream DEAD, which keeps what a service cannot handle, with the reason, for a person to look at. */
export class DeadLetters {
  readonly #logger = new Logger(DeadLetters.name);
  readonly #client: JetStreamClient;
  readonly #service: string;
  readonly #group: string;

  /** @param group What the consumer is called where it is measured. */
  constructor(client: JetStreamClient, service: string, group: string) {
    this.#client = client;
    this.#service = service;
    this.#group = group;
  }

  /** Puts an event aside, which nobody is given any more then; while the stream is away it stays and is given again later. */
  async add(message: JsMsg, id: string, reason: string): Promise<void> {
    const { subject: about, seq: sequence } = message;
    const letter = { id, subject: about, sequence, reason, payload: message.string() };
    try {
      await this.#client.publish(`dead.${this.#service}.${about}`, JSON.stringify(letter), {
        msgID: `${this.#service}-${id}`,
      });
    } catch (error) {
      this.#logger.warn(`${about} ${id} cannot be put aside yet: ${String(error)}`);
      return message.nak(retryMs);
    }
    this.#logger.error(`${about} ${id} is a dead letter: ${reason}`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': this.#group,
      'messaging.destination.name': about,
    });
    message.term(reason.slice(0, 200));
  }
}
