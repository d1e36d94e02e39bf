import { isPublicState } from '@stoa/contracts';
import { readableState } from '../rows/readable-row.ts';

interface LinkColumns {
  readonly state: string;
  readonly paymentUrl: string;
  readonly publicPaymentUrl: string | null;
}

/** The payment link that visitors see, or saw last; null for an offering that was never public. */
export function lastPublicLink({ state, paymentUrl, publicPaymentUrl }: LinkColumns): string | null {
  return isPublicState(readableState(state)) ? paymentUrl : publicPaymentUrl;
}
