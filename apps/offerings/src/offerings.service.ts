import {
  type Caller,
  type Download,
  limits,
  type NewOffering,
  type Offering,
  type OfferingChanges,
} from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { OfferingsRepository } from './offerings.repository.ts';

@Injectable()
export class OfferingsService {
  constructor(private readonly offerings: OfferingsRepository) {}

  async create(draft: NewOffering, caller: Caller): Promise<Offering> {
    const created = await this.offerings.insert(draft, caller.uid, limits.offeringsPerCreator);
    if (!created) {
      throw new Refusal('conflict', `A creator can list at most ${limits.offeringsPerCreator} offerings.`);
    }
    count(metrics.offeringsPublished);
    return created;
  }

  async update({ id, ...changes }: OfferingChanges, caller: Caller): Promise<Offering> {
    await this.ownedBy(caller, id);
    return found(await this.offerings.update(id, changes));
  }

  async remove(id: string, caller: Caller): Promise<Record<string, never>> {
    await this.ownedBy(caller, id);
    await this.offerings.remove(id);
    return {};
  }

  readOwn(id: string, caller: Caller): Promise<Offering> {
    return this.ownedBy(caller, id);
  }

  async listOf(creatorId: string): Promise<{ items: Offering[] }> {
    return { items: await this.offerings.listByCreator(creatorId) };
  }

  async download(creatorId: string, id: string): Promise<Download> {
    const offering = found(await this.offerings.find(id));
    if (offering.creatorId !== creatorId) throw notFound();
    return { title: offering.title, type: offering.type, mediaUrl: null };
  }

  private async ownedBy(caller: Caller, id: string): Promise<Offering> {
    const offering = found(await this.offerings.find(id));
    if (offering.creatorId !== caller.uid) {
      throw new Refusal('forbidden', 'You do not have permission to edit this offering.');
    }
    return offering;
  }
}

function found(offering: Offering | null): Offering {
  if (!offering) throw notFound();
  return offering;
}

function notFound(): Refusal {
  return new Refusal('not_found', 'Offering not found.');
}
