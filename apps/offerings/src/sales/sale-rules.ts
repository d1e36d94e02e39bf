import { saleLimits, type Sale, SaleState } from '@stoa/contracts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

// The key of a sale whose state a newer release has written must not open anything.
const KnownState = SaleState.catch('revoked');

interface StoredSale extends Omit<Sale, 'state' | 'createdAt' | 'keySince' | 'lastUsedAt'> {
  readonly state: string;
  readonly createdAt: Date;
  readonly keySince: Date;
  readonly lastUsedAt: Date | null;
}
type Limited = Pick<StoredSale, 'state' | 'keySince' | 'uses' | 'lastUsedAt' | 'downloads' | 'days'>;

/**
 * What a use of the key does now. `refused`: it opens nothing. `again`: it belongs to the use that was counted minutes ago.
 * `counts`: it is a new use.
 */
export function useOf(sale: Limited, now: Date): 'refused' | 'again' | 'counts' {
  const { state, keySince, uses, lastUsedAt, downloads, days } = sale;
  if (KnownState.parse(state) !== 'paid') return 'refused';
  if (days !== null && now.getTime() >= keySince.getTime() + days * dayMs) return 'refused';
  // Requests are repeated and raced between replicas, and a page renews its links. All of that is one use.
  const isRecent = lastUsedAt && now.getTime() < lastUsedAt.getTime() + saleLimits.saleUseMinutes * minuteMs;
  if (isRecent) return 'again';
  return downloads !== null && uses >= downloads ? 'refused' : 'counts';
}

/** The states that are not final: a creator may win or lose a dispute. */
export const openStates: readonly SaleState[] = ['paid', 'disputed'];

/** Whether the sale can get a new key. */
export function isReplaceable({ state }: Pick<StoredSale, 'state'>): boolean {
  return openStates.includes(KnownState.parse(state));
}

/** The sale as its creator sees it: without its key. */
export function toSale(row: StoredSale): Sale {
  const { id, offeringId, provider, transactionId, uses, downloads, days } = row;
  return {
    ...{ id, offeringId, provider, transactionId, uses, downloads, days },
    state: KnownState.parse(row.state),
    createdAt: row.createdAt.toISOString(),
    keySince: row.keySince.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
