import type { Sale } from '@stoa/contracts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const dayMs = 24 * 60 * 60_000;

/** When the link stops working; null if it has no limit of days. */
function endOf({ keySince, days }: Sale): Date | null {
  return days === null ? null : new Date(Date.parse(keySince) + days * dayMs);
}

const closed = { refunded: 'Refunded', disputed: 'Disputed', revoked: 'Closed' } as const;

/** What the creator can expect of the sale's link now. */
export function stateOf(sale: Sale, now = Date.now()): { label: string; opens: boolean } {
  if (sale.state !== 'paid') return { label: closed[sale.state], opens: false };
  const end = endOf(sale);
  if (end && end.getTime() <= now) return { label: 'Expired', opens: false };
  if (sale.downloads !== null && sale.uses >= sale.downloads) return { label: 'Used up', opens: false };
  return { label: 'Open', opens: true };
}

/** Uses and limits in words: “2 of 20 uses · until 28 Nov 2027”. */
export function limitsOf(sale: Sale): string {
  const { uses, downloads } = sale;
  const end = endOf(sale);
  const used =
    downloads === null
      ? `${uses} ${uses === 1 ? 'use' : 'uses'}`
      : `${uses} of ${downloads} ${downloads === 1 ? 'use' : 'uses'}`;
  return `${used} · ${end ? `until ${date.format(end)}` : 'no end'}`;
}

export const dayOf = (timestamp: string) => date.format(new Date(timestamp));

/** Whether a new link can be made. A refunded or closed sale stays closed; a dispute may be won. */
export const canBeRenewed = ({ state }: Sale) => state === 'paid' || state === 'disputed';
