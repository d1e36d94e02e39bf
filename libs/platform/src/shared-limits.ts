import { type Bus, type ConnectionStatus, connectionStatus } from '@stoa/messaging';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Debt, RateLimiter, SpentTokens } from './rate-limiter.ts';

type Connection = Bus['connection'];

const intervalMs = 100;
/** Keys in one message: about 20 KB. */
const messageKeys = 500;
/** Messages in one interval; what is left over waits for the next. */
const messagesAtOnce = 10;

const numbersOfKeys = (max: number) =>
  z.array(z.tuple([z.string().max(64), z.string().max(64), z.int().positive().max(max)])).max(messageKeys);
const Counts = z.object({
  from: z.string().max(64),
  /** What was let through since the last message. */
  spent: numbersOfKeys(1_000_000),
  /** What is not paid off yet, in milliseconds. */
  debts: numbersOfKeys(2 ** 40).default([]),
  /** Whether it has just started, and knows nothing of what others let through. */
  isNew: z.boolean().default(false),
});

/** Subject on which the replicas of `app` tell one another what they let through. */
export const limitsSubject = (app: string): string => `limits.${app}`;

/**
 * Shares the counts of `limiter` with the other replicas of `app`, ten times a second and without any store: what they
 * let through counts here too. A replica that starts hears from the others what counts for hours. While NATS is away each
 * replica counts alone.
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
        if (error) return logger.warn(`counts of other replicas are not heard: ${error.message}`);
        // JetStream delivers stored messages to any subject, under their own.
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
  // Rejects only where the process stops before NATS was there.
  share().catch(() => undefined);
  const timer = setInterval(() => {
    for (let sent = 0; sent < messagesAtOnce; sent += 1) {
      const spent = limiter.takeSpent(messageKeys);
      const debts = take(owed, messageKeys);
      if (spent.length + debts.length === 0) return;
      // The client would keep them for a server that is away, and old counts mean nothing.
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
