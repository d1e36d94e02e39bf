import { count, metrics } from '@stoa/telemetry';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { Logger } from '@nestjs/common';
import { brief, LogLimit } from './log-limit.ts';

/** Until another attempt to put aside what cannot be put aside now. */
const retryMs = 300_000;
/** Characters. The stream keeps so many letters of a service and subject that together these leave room for all others. */
const mostOfReason = 1000;
const mostOfPayload = 32_768;

/** The stream DEAD, which keeps what a service cannot handle, with the reason, for a person to look at. */
export class DeadLetters {
  readonly #logger = new Logger(DeadLetters.name);
  readonly #logged = new LogLimit();
  readonly #client: JetStreamClient;
  readonly #service: string;
  readonly #group: string;

  /** @param group What the consumer is called where it is measured. */
  constructor(client: JetStreamClient, service: string, group: string) {
    this.#client = client;
    this.#service = service;
    this.#group = group;
  }

  /**
   * Puts an event aside, which nobody is given any more then; while the stream is away it stays and is given again later.
   * @param facts Those that failed of the event's, where others of them were handled.
   */
  async add(
    message: JsMsg,
    id: string,
    { reason, facts }: { reason: string; facts?: unknown },
  ): Promise<void> {
    const { subject: about, seq: sequence } = message;
    const payload = facts === undefined ? message.string() : JSON.stringify(facts);
    const letter = {
      ...{ id, subject: about, sequence },
      ...{ reason: reason.slice(0, mostOfReason), payload: payload.slice(0, mostOfPayload) },
    };
    try {
      await this.#client.publish(`dead.${this.#service}.${about}`, JSON.stringify(letter), {
        msgID: `${this.#service}-${id}`,
      });
    } catch (error) {
      this.#logger.warn(`${about} ${id} cannot be put aside yet: ${String(error)}`);
      return message.nak(retryMs);
    }
    if (this.#logged.take(about)) this.#logger.error(`${about} ${id} is a dead letter: ${brief(reason)}`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': this.#group,
      'messaging.destination.name': about,
    });
    message.term(reason.slice(0, 200));
  }
}
