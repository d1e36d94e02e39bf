import { type EndedSession, identity, limits } from '@stoa/contracts';
import { isRequestDone, recordRepeatableRequest, recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';

type Transaction = Prisma.TransactionClient;

export interface SessionBrowser {
  readonly sessionId: string;
  readonly browser: string;
}

/** Ends of sessions and their browsers. Only Keycloak stores the sessions. */
@Injectable()
export class Sessions {
  constructor(private readonly prisma: Database) {}

  /** The names of the browsers, by session id. */
  async browsersOf(uid: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.prisma.sessionBrowser.findMany({
      where: { uid, sessionId: { in: [...sessionIds] } },
    });
    return new Map(rows.map(({ sessionId, browser }) => [sessionId, browser]));
  }

  /** Deletes up to `most` browsers of expired sessions and returns how many. */
  deleteExpiredBrowsers(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM session_browser WHERE session_id = ANY (ARRAY(
        SELECT session_id FROM session_browser
         WHERE seen_at < now() - make_interval(days => ${limits.sessionDays}::int) LIMIT ${most}))`;
  }

  /** Announces that Keycloak has ended sessions. */
  async announceEnd(ended: EndedSession): Promise<void> {
    await this.prisma.$transaction((tx) => recordSessionEnd(tx, ended));
  }

  /** Records that a request has begun. Each attempt repeats its remaining steps. */
  async noteStart(requestId: string | undefined): Promise<void> {
    await recordRepeatableRequest(this.prisma, requestId);
  }

  /** Whether an earlier attempt of this request has begun or finished. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }
}

/** Stores only the first browser of a session: a session stays in its browser. */
export async function recordBrowser(tx: Transaction, uid: string, session: SessionBrowser): Promise<void> {
  await tx.sessionBrowser.createMany({ data: [{ uid, ...session }], skipDuplicates: true });
}

/** Announces the end of sessions and deletes their browsers. */
export async function recordSessionEnd(tx: Transaction, ended: EndedSession): Promise<void> {
  await recordEvent(tx, identity.sessionEnded, ended);
  await deleteBrowsers(tx, ended);
}

/**
 * Deletes the browsers of ended sessions. If all sessions ended, only browsers seen before `at` are deleted.
 */
export async function deleteBrowsers(tx: Transaction, { uid, sid, at }: EndedSession): Promise<void> {
  const where = sid === null ? { seenAt: { lte: at }, ...(uid !== null && { uid }) } : { sessionId: sid };
  await tx.sessionBrowser.deleteMany({ where });
}
