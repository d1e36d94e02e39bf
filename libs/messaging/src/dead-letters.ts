import { count, metrics } from '@stoa/telemetry';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { Logger } from '@nestjs/common';
import { oneLine, LogLimit } from './log-limit.ts';

const retryMs = 300_000;
/**
 * Characters of a reason that a dead letter keeps. With this bound the stream has room for all letters of a
 * service and subject.
 */
const mostOfReason = 1000;
const mostOfPayload = 32_768;

/** The stream DEAD: events that a service cannot handle, each with the reason, for an operator to inspect. */
export class DeadLetters {
  readonly #logger = new Logger(DeadLetters.name);
  readonly #logged = new LogLimit();
  readonly #client: JetStreamClient;
  readonly #service: string;
  readonly #group: string;

  /** @param group The consumer's name in metrics. */
  constructor(client: JetStreamClient, service: string, group: string) {
    this.#client = client;
    this.#service = service;
    this.#group = group;
  }

  /**
   * Stores an event as a dead letter and ends its deliveries. While the stream is away the event is delivered again
   * later.
   * @param facts Those of the items that failed, if other items of the event were handled.
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
      this.#logger.warn(`${about} ${id} cannot be stored as a dead letter yet: ${String(error)}`);
      return message.nak(retryMs);
    }
    if (this.#logged.take(about)) this.#logger.error(`${about} ${id} is a dead letter: ${oneLine(reason)}`);
    count(metrics.eventsDead, {
      'messaging.consumer.group.name': this.#group,
      'messaging.destination.name': about,
    });
    message.term(reason.slice(0, 200));
  }
}
