import {
  saleLimits,
  type NewSaleForm,
  type Sale,
  type SaleClosing,
  type SaleList,
  type SaleQuery,
} from '@stoa/contracts';
import { isRequestDone, recordRequest } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { keyHash } from '../delivery/delivery-key.ts';
import type { Prisma, Sale as Row } from '../generated/prisma/client.ts';
import { lockAccount } from '../rows/account-lock.repository.ts';
import { decodeSaleCursor, encodeSaleCursor } from './sale-cursor.ts';
import { keyAgain, keyOfRequest, newKeySalt, recordableId } from './sale-key.ts';
import { isReplaceable, openStates, toSale, useOf } from './sale-rules.ts';

interface Keyed {
  readonly sale: Sale;
  readonly key: string | null;
}

/** `full`: the creator has reached the limit. */
type Insertion = Keyed | 'missing' | 'foreign' | 'full';

/** The source of sales that creators enter themselves. */
const enteredByCreator = 'creator';

@Injectable()
export class SalesRepository {
  constructor(private readonly prisma: Database) {}

  /** Stores a sale with a new key; idempotent by provider, transaction id and offering. */
  insert(
    creatorId: string,
    { offeringId, transactionId, provider, ...limits }: NewSaleForm,
    requestId: string | undefined,
  ): Promise<Insertion> {
    const source = enteredByCreator;
    return this.prisma.$transaction(async (tx): Promise<Insertion> => {
      // Also orders the sale and the deletion of its offering or account.
      await lockAccount(tx, creatorId);
      const offering = await tx.offering.findUnique({
        where: { id: offeringId },
        select: { creatorId: true },
      });
      if (!offering) return 'missing';
      if (offering.creatorId !== creatorId) return 'foreign';
      const unique = { creatorId, transactionId, provider, offeringId, source };
      const stored = await tx.sale.findUnique({
        where: { creatorId_transactionId_provider_offeringId_source: unique },
      });
      if (stored) return { sale: toSale(stored), key: keyAgain(stored, requestId) };
      if (await isFull(tx, creatorId)) return 'full';
      const keySalt = newKeySalt();
      const key = keyOfRequest(keySalt, requestId);
      const data = { ...limits, ...unique, id: randomUUID(), keySalt, keyHash: keyHash(key), state: 'paid' };
      return { sale: toSale(await tx.sale.create({ data })), key };
    });
  }

  /** The latest first. */
  async list(creatorId: string, { transactionId, cursor }: SaleQuery): Promise<SaleList> {
    const last = cursor === undefined ? undefined : decodeSaleCursor(cursor);
    const rows = await this.prisma.sale.findMany({
      where: {
        creatorId,
        // An empty search finds everything, like one without the field.
        ...(transactionId && { transactionId }),
        // The first bound lets the index skip all earlier pages.
        ...(last && {
          createdAt: { lte: last.createdAt },
          OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: last.id } }],
        }),
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: saleLimits.salesPage + 1,
    });
    const items = rows.slice(0, saleLimits.salesPage).map(toSale);
    const end = items.at(-1);
    return { items, nextCursor: end && rows.length > items.length ? encodeSaleCursor(end) : null };
  }

  find(id: string): Promise<Pick<Row, 'creatorId'> | null> {
    return this.prisma.sale.findUnique({ where: { id }, select: { creatorId: true } });
  }

  /** Closes a sale. A refund or revocation is final; a dispute may end with one. */
  async close(id: string, { state }: SaleClosing): Promise<Sale | null> {
    await this.prisma.sale.updateMany({ where: { id, state: { in: [...openStates] } }, data: { state } });
    const row = await this.prisma.sale.findUnique({ where: { id } });
    return row && toSale(row);
  }

  /**
   * Gives the sale a new key, whose uses and days start again, and reopens a disputed sale. Idempotent by request: a repeat
   * changes nothing. `closed`: the sale stays closed.
   */
  replaceKey(
    id: string,
    creatorId: string,
    requestId: string | undefined,
  ): Promise<Keyed | 'missing' | 'closed'> {
    return this.prisma.$transaction(async (tx) => {
      await lockAccount(tx, creatorId);
      const stored = await tx.sale.findUnique({ where: { id, creatorId } });
      if (!stored) return 'missing';
      if (await isRequestDone(tx, recordableId(requestId)))
        return { sale: toSale(stored), key: keyAgain(stored, requestId) };
      if (!isReplaceable(stored)) return 'closed';
      const key = keyOfRequest(stored.keySalt, requestId);
      const fresh = { state: 'paid', keyHash: keyHash(key), keySince: new Date(), uses: 0, lastUsedAt: null };
      // A refund may close the sale at the same time.
      const where = { id, state: stored.state };
      const [row] = await tx.sale.updateManyAndReturn({ where, data: fresh });
      if (!row) return 'closed';
      await recordRequest(tx, recordableId(requestId));
      return { sale: toSale(row), key };
    });
  }

  /** Whether the key opens this offering now, without counting a use. */
  async opens(offeringId: string, key: string, now: Date): Promise<boolean> {
    const sale = await this.prisma.sale.findUnique({ where: { keyHash: keyHash(key), offeringId } });
    return sale !== null && useOf(sale, now) !== 'refused';
  }

  /** Whether the key opens this offering now. Counts the use. */
  async use(offeringId: string, key: string, now: Date): Promise<boolean> {
    for (;;) {
      const sale = await this.prisma.sale.findUnique({ where: { keyHash: keyHash(key), offeringId } });
      const use = sale ? useOf(sale, now) : 'refused';
      if (!sale || use !== 'counts') return use === 'again';
      const { id, uses, state } = sale;
      // Of two uses at a time only one counts. The other reads again and finds itself recent.
      const where = { id, uses, state, keyHash: sale.keyHash };
      const data = { uses: uses + 1, lastUsedAt: now };
      const { count } = await this.prisma.sale.updateMany({ where, data });
      if (count > 0) return true;
    }
  }
}

/** Reads at most as many entries of an index as the limit, and no row. */
async function isFull(tx: Prisma.TransactionClient, creatorId: string): Promise<boolean> {
  const [full] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM sale WHERE creator_id = ${creatorId}::uuid OFFSET ${saleLimits.salesPerCreator - 1} LIMIT 1`;
  return full !== undefined;
}
