import type { PrismaClient } from './generated/prisma/client.ts';

/** What operators decided about profiles, as far as it concerns what their offerings deliver. */
export class ProfileTakedowns {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes a decision, unless a later one is known. A repeat changes nothing. */
  async decide(uid: string, takenDown: boolean, reviewedAt: Date): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO taken_down_creator AS known (uid, taken_down, reviewed_at)
      SELECT ${uid}::uuid, ${takenDown}, ${reviewedAt}
       WHERE NOT EXISTS (SELECT 1 FROM closed_account WHERE uid = ${uid}::uuid)
      ON CONFLICT (uid) DO UPDATE SET taken_down = excluded.taken_down, reviewed_at = excluded.reviewed_at
       WHERE known.reviewed_at < excluded.reviewed_at`;
  }

  async isHidden(uid: string): Promise<boolean> {
    return (await this.prisma.takenDownCreator.count({ where: { uid, takenDown: true } })) > 0;
  }
}
