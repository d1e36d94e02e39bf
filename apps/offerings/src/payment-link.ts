import { isPublicState } from '@stoa/contracts';
import { readableState } from './readable-row.ts';

/** As the database has it. */
interface Linked {
  readonly state: string;
  readonly paymentUrl: string;
  readonly publicPaymentUrl: string | null;
}

/** The payment link that visitors see, or saw last; null for an offering that was never public. */
export function lastPublicLink({ state, paymentUrl, publicPaymentUrl }: Linked): string | null {
  const known = readableState(state);
  if (isPublicState(known)) return paymentUrl;
  // What an earlier release has hidden or archived says so by its state alone.
  return publicPaymentUrl ?? (known === 'draft' ? null : paymentUrl);
}
