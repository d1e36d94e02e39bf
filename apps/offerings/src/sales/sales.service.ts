import {
  type Caller,
  type NewSaleForm,
  type Sale,
  type SaleClosing,
  type SaleList,
  type SaleQuery,
  type SaleWithKey,
} from '@stoa/contracts';
import { type Call, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { SalesRepository } from './sales.repository.ts';

@Injectable()
export class SalesService {
  constructor(private readonly sales: SalesRepository) {}

  async add(form: NewSaleForm, { caller, requestId }: Call): Promise<SaleWithKey> {
    const added = await this.sales.insert(caller.uid, form, requestId);
    if (added === 'missing') throw new Refusal('not_found', 'Offering not found.');
    if (added === 'foreign')
      throw new Refusal('forbidden', 'You do not have permission to edit this offering.');
    if (added === 'other')
      throw new Refusal('conflict', 'A sale of another offering has this transaction id.');
    if (added === 'full') throw new Refusal('conflict', 'You have reached the limit of sales.');
    return added;
  }

  list(query: SaleQuery, { uid }: Caller): Promise<SaleList> {
    return this.sales.list(uid, query);
  }

  async close(id: string, closing: SaleClosing, caller: Caller): Promise<Sale> {
    await this.refuseOthers(id, caller);
    return found(await this.sales.close(id, closing));
  }

  async replaceKey(id: string, caller: Caller): Promise<SaleWithKey> {
    await this.refuseOthers(id, caller);
    const replaced = await this.sales.replaceKey(id);
    if (!replaced) throw new Refusal('conflict', 'This sale is closed.');
    return replaced;
  }

  /** Whether the key of a sale opens this offering now. Counts the use. */
  use(offeringId: string, key: string): Promise<boolean> {
    return this.sales.use(offeringId, key, new Date());
  }

  /** The sale of another creator gets the answer of a missing one. */
  private async refuseOthers(id: string, { uid }: Caller): Promise<void> {
    const sale = await this.sales.find(id);
    if (sale?.creatorId !== uid) throw notFound();
  }
}

function found(sale: Sale | null): Sale {
  if (!sale) throw notFound();
  return sale;
}

function notFound(): Refusal {
  return new Refusal('not_found', 'Sale not found.');
}
