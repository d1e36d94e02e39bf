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

  @Listens(offerings.published, offerings.changed)
  changed({ creatorId, tally }: OfferingFacts, { id }: Delivery) {
    return this.service.storeCount(creatorId, tally, id);
  }

  @Listens(offerings.removed)
  async removed(
    { id: offeringId, creatorId, tally, version }: OfferingFacts,
    { id }: Delivery,
  ): Promise<void> {
    // Deletes the title first. The event about the count makes caches search again, and they must not find the title then.
    await this.service.storeTitle({ uid: creatorId, offeringId, title: null, version });
    await this.service.storeCount(creatorId, tally, id);
  }

  @Listens(offerings.tallied)
  tallied(page: PublicTallies, { id }: Delivery) {
    return this.service.correctCounts(page, id);
  }

  @Listens(offerings.linksListed)
  async listed({ uid, offeringId, title, version, isPublic }: LinkListing): Promise<void> {
    const seen = isPublic ? title : null;
    if (offeringId !== null) await this.service.storeTitle({ uid, offeringId, title: seen, version });
  }

  @Listens(identity.closed)
  accountClosed({ uid, at }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, at, id);
  }

  @Listens(identity.linkChangeUndone)
  linkChangeUndone(undone: UndoneLinkChangeFacts, { id }: Delivery) {
    return this.service.undoLinkChange(undone, id);
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
