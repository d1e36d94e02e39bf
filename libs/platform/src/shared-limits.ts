import { type Bus, type ConnectionStatus, connectionStatus } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Debt, RateLimiter, SpentTokens } from './rate-limiter.ts';

type Connection = Bus['connection'];

const intervalMs = 100;
/** Keys per message: about 20 KB. */
const messageKeys = 500;
/** Messages per interval; the rest waits for the next. */
const maxMessages = 10;

const numbersOfKeys = (max: number) =>
  z.array(z.tuple([z.string().max(64), z.string().max(64), z.int().positive().max(max)])).max(messageKeys);
const Counts = z.object({
  from: z.string().max(64),
  /** The requests that the sender has allowed since its last message. */
  spent: numbersOfKeys(1_000_000),
  debts: numbersOfKeys(2 ** 40).default([]),
  /** Whether the sender has just started and knows no counts of other replicas. */
  isNew: z.boolean().default(false),
});

/** The subject on which the replicas of `app` share their counts. */
export const limitsSubject = (app: string): string => `limits.${app}`;

/**
 * Shares the counts of `limiter` with the other replicas of `app`, ten times a second and without a store. A starting
 * replica gets the debts of long periods from the others. While NATS is away each replica counts alone.
 *
 * @returns a function that ends it.
 */
export function shareLimits(limiter: RateLimiter, bus: Bus, app: string): () => void {
  const logger = new Logger('SharedLimits');
  const subject = limitsSubject(app);
  const from = randomUUID();
  let open: Connection | undefined;
  let status: ConnectionStatus | undefined;
  let subscription: ReturnType<Connection['subscribe']> | undefined;
  let ended = false;
  let owed: Iterator<Debt> = [].values();
  const publish = (counts: object) => open?.publish(subject, JSON.stringify({ from, spent: [], ...counts }));
  const share = async () => {
    const connection = await bus.opened;
    if (ended) return;
    open = connection;
    status = connectionStatus(connection);
    subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return logger.warn(`counts of other replicas cannot be received: ${error.message}`);
        // JetStream can deliver stored messages to this subscription, but they keep another subject.
        if (message.subject !== subject) return;
        const counts = Counts.safeParse(parsed(message.string()));
        if (!counts.success || counts.data.from === from) return;
        limiter.apply(counts.data.spent as SpentTokens[]);
        limiter.remember(counts.data.debts as Debt[]);
        if (counts.data.isNew) owed = limiter.owed();
      },
    });
    publish({ isNew: true });
  };
  // Rejects only if the process stops before NATS is reachable.
  share().catch(() => undefined);
  const timer = setInterval(() => {
    for (let sent = 0; sent < maxMessages; sent += 1) {
      const spent = limiter.takeSpent(messageKeys);
      const debts = take(owed, messageKeys);
      if (spent.length + debts.length === 0) return;
      // Sends nothing while disconnected: the client would buffer the messages, and old counts are useless.
      if (status?.isConnected) publish({ spent, debts });
    }
  }, intervalMs).unref();
  return () => {
    ended = true;
    clearInterval(timer);
    subscription?.unsubscribe();
  };
}

function take<Item>(items: Iterator<Item>, max: number): Item[] {
  const taken: Item[] = [];
  while (taken.length < max) {
    const { value, done } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
