import { type CreatorFacts, creators, type OfferingFacts, offerings } from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { MediaService } from './media.service.ts';

@Injectable()
export class MediaListener {
  constructor(private readonly service: MediaService) {}

  @Listens(creators.opened, creators.changed)
  creatorChanged({ uid, profileImageId, version }: CreatorFacts, { id }: Delivery) {
    return this.service.attach({ kind: 'creator', id: uid, version }, profileImageId, id);
  }

  @Listens(offerings.published, offerings.changed)
  offeringChanged(offering: OfferingFacts, { id }: Delivery) {
    return this.service.attach({ kind: 'offering', ...offering }, offering.coverImageId, id);
  }

  @Listens(offerings.removed)
  offeringRemoved(offering: OfferingFacts, { id }: Delivery) {
    return this.service.attach({ kind: 'offering', ...offering }, null, id);
  }
}
