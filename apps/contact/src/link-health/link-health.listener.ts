import {
  creators,
  type CreatorFacts,
  type LinkListing,
  type OfferingFacts,
  offerings,
} from '@stoa/contracts';
import { Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { LinkHealthService } from './link-health.service.ts';

/** Stores the links that other services publish. Versions make repeated and late events harmless. */
@Injectable()
export class LinkHealthListener {
  constructor(private readonly service: LinkHealthService) {}

  @Listens(creators.linksListed, offerings.linksListed)
  listed(listing: LinkListing) {
    return this.service.list(listing);
  }

  @Listens(offerings.removed)
  offeringRemoved({ id, creatorId, version }: OfferingFacts) {
    return this.service.drop(id, creatorId, version);
  }

  @Listens(creators.removed)
  creatorRemoved({ uid, version }: CreatorFacts) {
    return this.service.drop(uid, uid, version);
  }
}
