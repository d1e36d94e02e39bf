import { limits } from '@stoa/contracts';
import { agree, Bus } from '@stoa/messaging';
import { subscriberNetwork } from '@stoa/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayConfig } from '../gateway.config.ts';

export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

/** Milliseconds before midnight at which the replicas agree on the key of the next day. */
const earlyMs = 10 * 60_000;
/** Milliseconds to wait for NATS when a key is first needed. */
const patienceMs = 300;
/** 22 characters of base64url contain 128 bits. */
const hashLength = 22;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The random key of one day. Until the replicas have agreed on one, it is the proposal of this replica. */
class DayKey {
  #key = randomBytes(32).toString('base64url');
  #agreed = false;
  #patience = patienceMs;
  #agreement: Promise<void> | undefined;
  readonly #ask: (proposal: string) => Promise<string>;

  constructor(ask: (proposal: string) => Promise<string>) {
    this.#ask = ask;
  }

  /** While NATS is down, each replica uses its own proposal, and a visitor of two replicas counts twice. */
  async read(): Promise<string> {
    if (!this.#agreed) {
      this.#agreement ??= this.#settle().finally(() => (this.#agreement = undefined));
      await Promise.race([this.#agreement, pause(this.#patience, undefined, { ref: false })]);
      this.#patience = 0;
    }
    return this.#key;
  }

  async #settle(): Promise<void> {
    try {
      this.#key = await this.#ask(this.#key);
      this.#agreed = true;
    } catch {
      // An error changes nothing here, because the next visit tries to agree on the key again.
    }
  }
}

/**
 * Recognises visitors of a creator for one day. Replicas share a random key, which is deleted after the day, so that the
 * hashes cannot be reversed. Browsers at one address differ by User-Agent, but count as a few visitors at most, because
 * programs can send any User-Agent.
 */
@Injectable()
export class VisitorHashes implements OnApplicationBootstrap {
  private readonly keys = new Map<string, DayKey>();

  constructor(
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  onApplicationBootstrap(): void {
    void this.keyOf(dayOf(new Date())).read();
  }

  async hash({ address, userAgent }: Visitor, creatorId: string, now = new Date()): Promise<string> {
    const today = dayOf(now);
    for (const day of this.keys.keys()) if (day < today) this.keys.delete(day);
    const tomorrow = dayOf(new Date(now.getTime() + earlyMs));
    if (!this.keys.has(tomorrow)) void this.keyOf(tomorrow).read();
    const key = await this.keyOf(today).read();
    const network = subscriberNetwork(address);
    const browser = createHmac('sha256', key).update([network, userAgent].join('\n')).digest();
    const place = browser.readUInt32BE() % limits.visitorsPerAddress;
    return createHmac('sha256', key)
      .update([network, place, creatorId].join('\n'))
      .digest('base64url')
      .slice(0, hashLength);
  }

  private keyOf(day: string): DayKey {
    const key =
      this.keys.get(day) ??
      new DayKey(async (proposal) =>
        agree(await this.bus.opened, { app: this.config.SERVICE_NAME, about: day, proposal }),
      );
    this.keys.set(day, key);
    return key;
  }
}
