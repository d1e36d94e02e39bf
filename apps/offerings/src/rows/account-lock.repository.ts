import type { Prisma } from '../generated/prisma/client.ts';

/** Serializes the writes of one account until the transaction ends. */
export async function lockAccount(tx: Prisma.TransactionClient, creatorId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${creatorId}, 0))`;
}
