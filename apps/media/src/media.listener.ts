import {
  type CreatorFacts,
  creators,
  type Facts,
  identity,
  type OfferingFacts,
  offerings,
} from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { MediaService } from './media.service.ts';

@Injectable()
export class MediaListener {
  constructor(private readonly service: MediaService) {}

  @Listens(creators.opened, creators.changed)
  creatorChanged({ uid, profileImageId, version }: CreatorFacts, { id }: Delivery) {
    return this.service.attach({ id: uid, version }, { 'profile-picture': profileImageId }, id);
  }

  @Listens(offerings.published, offerings.changed)
  offeringChanged(offering: OfferingFacts, { id }: Delivery) {
    const { coverImageId, fileId } = offering;
    // A replica of the release before files says nothing of them, which is not that there is none.
    const file = fileId === undefined ? {} : { 'offering-file': fileId };
    return this.service.attach(offering, { 'offering-cover': coverImageId, ...file }, id);
  }

  @Listens(offerings.removed)
  offeringRemoved(offering: OfferingFacts, { id }: Delivery) {
    return this.service.attach(offering, { 'offering-cover': null, 'offering-file': null }, id);
  }

  @Listens(creators.removed)
  creatorRemoved({ uid, version }: CreatorFacts, { id }: Delivery) {
    return this.service.attach({ id: uid, version }, { 'profile-picture': null }, id);
  }

  @Listens(identity.closed)
  accountClosed({ uid }: Facts<typeof identity.closed>, { id }: Delivery) {
    return this.service.close(uid, id);
  }
}
