import {
  type Facts,
  identity,
  type LinkListing,
  type OfferingFacts,
  offerings,
  type PayeeFacts,
  type PublicTallies,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { CreatorsService } from './creators.service.ts';

@Injectable()
export class CreatorsListener {
  constructor(private readonly service: CreatorsService) {}

  @Listens(offerings.published)
  published({ creatorId, publicChange = 1, tally }: OfferingFacts, { id }: Delivery) {
    return this.service.countOffering(creatorId, tally ?? publicChange, id);
  }

  @Listens(offerings.changed)
  changed({ creatorId, publicChange = 0, tally }: OfferingFacts, { id }: Delivery) {
    return this.service.countOffering(creatorId, tally ?? publicChange, id);
  }

  @Listens(offerings.removed)
  async removed(
    { id: offeringId, creatorId, publicChange = -1, tally, version }: OfferingFacts,
    { id }: Delivery,
  ): Promise<void> {
    await this.service.countOffering(creatorId, tally ?? publicChange, id);
    await this.service.listTitle({ uid: creatorId, offeringId, title: null, version });
  }

  @Listens(offerings.tallied)
  tallied(page: PublicTallies, { id }: Delivery) {
    return this.service.mendCounts(page, id);
  }

  @Listens(offerings.linksListed)
  async listed({ uid, offeringId, title, version, links, isPublic }: LinkListing): Promise<void> {
    // Of an older publisher: whoever sees an offering sees its payment link.
    const seen = (isPublic ?? links.length > 0) ? title : null;
    if (offeringId !== null) await this.service.listTitle({ uid, offeringId, title: seen, version });
  }

  @Listens(identity.closed)
  accountClosed({ uid, at }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, at, id);
  }

  @Listens(identity.linkChangeUndone)
  linkChangeUndone(undone: UndoneLinkChangeFacts, { id }: Delivery) {
    return this.service.undoMoves(undone, id);
  }

  @Listens(offerings.payeeNoted)
  payeeNoted(payee: PayeeFacts) {
    return this.service.notePayee(payee);
  }

  @Listens(identity.emailVerified)
  emailVerified({ uid, email, at }: Facts<typeof identity.emailVerified>) {
    return this.service.verifyEmail(uid, email, at);
  }
}
