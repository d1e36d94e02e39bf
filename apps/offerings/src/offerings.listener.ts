import { creators, type Facts, identity, type ReviewFacts } from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { OfferingsService } from './offerings.service.ts';

@Injectable()
export class OfferingsListener {
  constructor(private readonly service: OfferingsService) {}

  @Listens(identity.closed)
  accountClosed({ uid, at }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, at, id);
  }

  @Listens(creators.reviewed)
  reviewed(facts: ReviewFacts, { id }: Delivery) {
    return this.service.review(facts, id);
  }

  @Listens(identity.linkChangeUndone)
  async linkChangeUndone(undone: Facts<typeof identity.linkChangeUndone>, { id }: Delivery): Promise<void> {
    const { uid, offeringId, links } = undone;
    const [link] = links;
    if (offeringId && link) await this.service.restoreLink(uid, offeringId, link.url, id);
  }
}
