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

/**
 * Stores the browsers of sessions, and publishes ends of sessions. Keycloak stores the sessions themselves.
 */
@Injectable()
export class Sessions {
  constructor(private readonly prisma: Database) {}

  async browsersOf(uid: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.prisma.sessionBrowser.findMany({
      where: { uid, sessionId: { in: [...sessionIds] } },
    });
    return new Map(rows.map(({ sessionId, browser }) => [sessionId, browser]));
  }

  /** Deletes up to `most` browsers of expired sessions, and returns their number. */
  deleteExpiredBrowsers(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM session_browser WHERE session_id = ANY (ARRAY(
        SELECT session_id FROM session_browser
         WHERE seen_at < now() - make_interval(days => ${limits.sessionDays}::int) LIMIT ${most}))`;
  }

  async announceEnd(ended: EndedSession): Promise<void> {
    await this.prisma.$transaction((tx) => recordSessionEnd(tx, ended));
  }

  /** Records that a request has begun, so that a retry of the same request repeats the remaining steps. */
  async noteStart(requestId: string | undefined): Promise<void> {
    await recordRepeatableRequest(this.prisma, requestId);
  }

  /** Whether an earlier attempt of this request has begun. */
  isDone(requestId: string | undefined): Promise<boolean> {
    return isRequestDone(this.prisma, requestId);
  }
}

/** A second call for the same session changes nothing, because a session never moves to another browser. */
export async function recordBrowser(tx: Transaction, uid: string, session: SessionBrowser): Promise<void> {
  await tx.sessionBrowser.createMany({ data: [{ uid, ...session }], skipDuplicates: true });
}

export async function recordSessionEnd(tx: Transaction, ended: EndedSession): Promise<void> {
  await recordEvent(tx, identity.sessionEnded, ended);
  await deleteBrowsers(tx, ended);
}

/** If all sessions of an account ended, keeps browsers seen after `at`, because they have new sessions. */
export async function deleteBrowsers(tx: Transaction, { uid, sid, at }: EndedSession): Promise<void> {
  const where = sid === null ? { seenAt: { lte: at }, ...(uid !== null && { uid }) } : { sessionId: sid };
  await tx.sessionBrowser.deleteMany({ where });
}
