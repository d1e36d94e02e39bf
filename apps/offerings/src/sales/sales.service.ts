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

  async replaceKey(id: string, { caller, requestId }: Call): Promise<SaleWithKey> {
    const replaced = await this.sales.replaceKey(id, caller.uid, requestId);
    if (replaced === 'missing') throw notFound();
    if (replaced === 'closed') throw new Refusal('conflict', 'This sale is closed.');
    return replaced;
  }

  /** Whether the key of a sale opens this offering now. The use of a buyer counts, that of the owner does not. */
  use(offeringId: string, key: string, { isOwner }: { isOwner: boolean }): Promise<boolean> {
    const now = new Date();
    return isOwner ? this.sales.opens(offeringId, key, now) : this.sales.use(offeringId, key, now);
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
