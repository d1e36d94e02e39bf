import { type Facts, identity, type LinkListing, type OfferingFacts, offerings } from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { CreatorsService } from './creators.service.ts';

@Injectable()
export class CreatorsListener {
  constructor(private readonly service: CreatorsService) {}

  @Listens(offerings.published)
  published({ creatorId, publicChange = 1 }: OfferingFacts, { id }: Delivery) {
    return this.service.countOffering(creatorId, publicChange, id);
  }

  @Listens(offerings.changed)
  changed({ creatorId, publicChange = 0 }: OfferingFacts, { id }: Delivery) {
    return this.service.countOffering(creatorId, publicChange, id);
  }

  @Listens(offerings.removed)
  async removed({ id: offeringId, creatorId, publicChange = -1, version }: OfferingFacts, { id }: Delivery) {
    await this.service.countOffering(creatorId, publicChange, id);
    await this.service.listTitle({ uid: creatorId, offeringId, title: null, version });
  }

  /** Whoever sees an offering sees its payment link, so one without links is not seen. */
  @Listens(offerings.linksListed)
  async listed({ uid, offeringId, title, version, links }: LinkListing): Promise<void> {
    const seen = links.length > 0 ? title : null;
    if (offeringId !== null) await this.service.listTitle({ uid, offeringId, title: seen, version });
  }

  @Listens(identity.closed)
  accountClosed({ uid, at }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, at, id);
  }

  @Listens(identity.linkChangeUndone)
  async linkChangeUndone(undone: Facts<typeof identity.linkChangeUndone>, { id }: Delivery): Promise<void> {
    const { uid, offeringId, links } = undone;
    if (offeringId === null) await this.service.restorePaygates(uid, links, id);
  }

  @Listens(identity.emailVerified)
  emailVerified({ uid, email }: Facts<typeof identity.emailVerified>) {
    return this.service.verifyEmail(uid, email);
  }
}
