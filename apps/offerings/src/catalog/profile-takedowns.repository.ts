import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';

/** Operators' decisions about profiles: the offerings of a hidden profile deliver nothing to buyers. */
@Injectable()
export class ProfileTakedowns {
  constructor(private readonly prisma: Database) {}

  /** Stores a decision unless a later one is stored; idempotent. */
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
