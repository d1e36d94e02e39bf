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
import { keyHash, newDeliveryKey } from '../delivery/delivery-key.ts';
import type { Prisma, Sale as Row } from '../generated/prisma/client.ts';
import { lockAccount } from '../rows/account-lock.repository.ts';
import { decodeSaleCursor, encodeSaleCursor } from './sale-cursor.ts';
import { toSale, useOf } from './sale-rules.ts';

interface Keyed {
  readonly sale: Sale;
  readonly key: string | null;
}

/** `other`: the payment belongs to another offering. `full`: the creator has reached the limit. */
type Insertion = Keyed | 'missing' | 'foreign' | 'other' | 'full';

/** The source of sales that creators enter themselves. */
const enteredByCreator = 'creator';

@Injectable()
export class SalesRepository {
  constructor(private readonly prisma: Database) {}

  /** Stores a sale with a new key; idempotent by its transaction id. */
  insert(
    creatorId: string,
    { offeringId, transactionId, ...form }: NewSaleForm,
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
      const unique = { creatorId, transactionId, source };
      const stored = await tx.sale.findUnique({ where: { creatorId_transactionId_source: unique } });
      if (stored && stored.offeringId !== offeringId) return 'other';
      if (stored) {
        // The client repeats the request, so it has not received the key.
        const renewed = (await isRequestDone(tx, requestId)) ? await replaceKey(tx, stored.id) : null;
        return renewed ?? { sale: toSale(stored), key: null };
      }
      if ((await tx.sale.count({ where: { creatorId } })) >= saleLimits.salesPerCreator) return 'full';
      const key = newDeliveryKey();
      const data = { ...form, ...unique, id: randomUUID(), offeringId, keyHash: keyHash(key), state: 'paid' };
      const row = await tx.sale.create({ data });
      await recordRequest(tx, requestId);
      return { sale: toSale(row), key };
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
        ...(last && {
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

  /** Closes a paid sale. A closed one keeps its first reason. */
  async close(id: string, { state }: SaleClosing): Promise<Sale | null> {
    await this.prisma.sale.updateMany({ where: { id, state: 'paid' }, data: { state } });
    const row = await this.prisma.sale.findUnique({ where: { id } });
    return row && toSale(row);
  }

  /** Null: the sale is gone or closed. */
  replaceKey(id: string): Promise<Keyed | null> {
    return replaceKey(this.prisma, id);
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

/** Null: the sale is gone or closed. */
async function replaceKey(tx: Prisma.TransactionClient, id: string): Promise<Keyed | null> {
  const key = newDeliveryKey();
  const [row] = await tx.sale.updateManyAndReturn({
    where: { id, state: 'paid' },
    data: { keyHash: keyHash(key) },
  });
  return row ? { sale: toSale(row), key } : null;
}
