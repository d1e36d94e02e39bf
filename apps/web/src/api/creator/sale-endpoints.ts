import type { NewSaleForm, SaleClosing } from '@stoa/contracts';
import { request } from '../request.ts';

const signedIn = true;

/** Calls of the sales page. No other page loads them. */
export const saleApi = {
  list: (query: { transactionId?: string; cursor?: string }, signal: AbortSignal) =>
    request('get', '/api/sales', { query, signal, signedIn }),
  add: (body: NewSaleForm) => request('post', '/api/sales', { body, signedIn }),
  close: (id: string, body: SaleClosing) =>
    request('post', '/api/sales/{id}/closing', { params: { id }, body, signedIn }),
  replaceKey: (id: string) => request('post', '/api/sales/{id}/key', { params: { id }, signedIn }),
};
