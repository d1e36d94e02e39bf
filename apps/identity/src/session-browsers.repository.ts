import { type EndedSession, identity, limits } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';

type Transaction = Prisma.TransactionClient;

/** The browser of a session. */
export interface SessionBrowser {
  readonly sessionId: string;
  readonly browser: string;
}

/** Which browsers the sessions are of. Keycloak alone knows which sessions there are. */
export class SessionBrowsers {
  constructor(private readonly prisma: PrismaClient) {}

  /** The names of these browsers, by the ids of their sessions. */
  async of(uid: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.prisma.sessionBrowser.findMany({
      where: { uid, sessionId: { in: [...sessionIds] } },
    });
    return new Map(rows.map(({ sessionId, browser }) => [sessionId, browser]));
  }

  /** Forgets those of sessions that are over, though nobody ended them, a part of them; answers how many. */
  forgetOld(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM session_browser WHERE session_id = ANY (ARRAY(
        SELECT session_id FROM session_browser
         WHERE seen_at < now() - make_interval(days => ${limits.sessionDays}::int) LIMIT ${most}))`;
  }
}

/** Keeps what is known first: a session stays in its browser. */
export async function recordBrowser(tx: Transaction, uid: string, session: SessionBrowser): Promise<void> {
  await tx.sessionBrowser.createMany({ data: [{ uid, ...session }], skipDuplicates: true });
}

/** Announces the end of sessions, and forgets their browsers. */
export async function recordSessionEnd(tx: Transaction, ended: EndedSession): Promise<void> {
  await recordEvent(tx, identity.sessionEnded, ended);
  await forgetBrowsers(tx, ended);
}

/** Forgets the browsers of sessions that have ended; of all sessions alone those that were seen before. */
export async function forgetBrowsers(tx: Transaction, { uid, sid, at }: EndedSession): Promise<void> {
  const where = sid === null ? { seenAt: { lte: at }, ...(uid !== null && { uid }) } : { sessionId: sid };
  await tx.sessionBrowser.deleteMany({ where });
}
