import {
  creators,
  type Facts,
  identity,
  type PayeeFacts,
  type ReviewFacts,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
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
  linkChangeUndone(undone: UndoneLinkChangeFacts, { id }: Delivery) {
    return this.service.undoLinkChange(undone, id);
  }

  @Listens(creators.payeeNoted)
  payeeNoted(payee: PayeeFacts) {
    return this.service.notePayee(payee);
  }
}
