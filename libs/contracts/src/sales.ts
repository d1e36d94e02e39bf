import { z } from 'zod';
import { request } from './contract.ts';
import { DeliveryKey } from './delivery-keys.ts';
import { Cursor, Id, line, requiredLine, Timestamp } from './fields.ts';
import { saleLimits } from './sale-limits.ts';

/** The states in which the key of a sale opens nothing. */
export const closedSaleStates = ['refunded', 'disputed', 'revoked'] as const;

export const SaleState = z.enum(['paid', ...closedSaleStates]).meta({ id: 'SaleState' });
export type SaleState = z.infer<typeof SaleState>;

/** A sale that was paid elsewhere. It has a key of its own and no data about the buyer. */
export const Sale = z
  .object({
    id: Id,
    offeringId: Id,
    provider: z.string().describe('Where the buyer has paid.'),
    transactionId: z.string().describe('The id of the payment at the provider.'),
    state: SaleState.describe('Only the key of a paid sale opens the download page.'),
    createdAt: Timestamp,
    keySince: Timestamp.describe('When the sale got its key. Its days and uses count from then.'),
    uses: z.int().nonnegative().describe('How often the buyer has opened the download page.'),
    lastUsedAt: Timestamp.nullable().describe('The latest counted use. Null before it.'),
    downloads: z.int().nullable().describe('The largest number of uses. Null without a limit.'),
    days: z.int().nullable().describe('The days for which the key works. Null without a limit.'),
  })
  .meta({ id: 'Sale' });
export type Sale = z.infer<typeof Sale>;

const oneTo = (max: number) => z.int().min(1).max(max);

export const NewSaleForm = z
  .object({
    offeringId: Id.describe('An offering of the caller.'),
    transactionId: requiredLine(saleLimits.transactionIdLength).describe(
      'The id of the payment at the provider. A repeat with the same provider and offering creates one sale.',
    ),
    provider: line(saleLimits.providerLength).describe('Where the buyer has paid.').default(''),
    downloads: oneTo(saleLimits.saleMaxDownloads)
      .describe(
        `The largest number of uses, and null for no limit. Uses within ${saleLimits.saleUseMinutes} minutes count once.`,
      )
      .nullable()
      .default(saleLimits.saleDownloads),
    days: oneTo(saleLimits.saleMaxDays)
      .describe('The days for which the key works, and null for no limit.')
      .nullable()
      .default(saleLimits.saleDays),
  })
  .meta({ id: 'NewSaleForm' });
export type NewSaleForm = z.infer<typeof NewSaleForm>;

/** The answer that contains the key of a sale. Only the hash of the key is stored. */
export const SaleWithKey = z
  .object({
    sale: Sale,
    key: DeliveryKey.nullable().describe(
      'The key of the download page. Only repeats under the same idempotency key get it again. Null if the sale existed before.',
    ),
  })
  .meta({ id: 'SaleWithKey' });
export type SaleWithKey = z.infer<typeof SaleWithKey>;

export const SaleClosing = z
  .object({ state: z.enum(closedSaleStates).describe('Why the key must not work any more.') })
  .meta({ id: 'SaleClosing' });
export type SaleClosing = z.infer<typeof SaleClosing>;

export const SaleQuery = z.object({
  transactionId: line(saleLimits.transactionIdLength).describe('Finds only sales with this id.').optional(),
  cursor: Cursor.describe('The `nextCursor` of the previous page.').optional(),
});
export type SaleQuery = z.infer<typeof SaleQuery>;

export const SaleList = z
  .object({
    items: z.array(Sale),
    nextCursor: Cursor.nullable().describe('The cursor of the next page. Null on the last page.'),
  })
  .meta({ id: 'SaleList' });
export type SaleList = z.infer<typeof SaleList>;

/** The requests about sales, which the service `offerings` answers. */
export const saleRequests = {
  /** Stores a sale of the caller's own offering; idempotent by provider, transaction id and offering. */
  addSale: request({ semantics: 'idempotent', input: NewSaleForm, output: SaleWithKey }),
  /** Lists the caller's sales, the latest first. */
  listSales: request({ semantics: 'safe', input: SaleQuery, output: SaleList }),
  /** Closes the caller's own sale. A refund or revocation is final; a dispute may end with one. */
  closeSale: request({
    semantics: 'idempotent',
    input: SaleClosing.extend({ id: Id }),
    output: Sale,
  }),
  /**
   * Gives a paid sale a new key, since the old one cannot be read; its uses and days start again. A disputed sale is paid again.
   * A repeat under the same idempotency key changes nothing.
   */
  replaceSaleKey: request({ input: z.object({ id: Id }), output: SaleWithKey }),
};
