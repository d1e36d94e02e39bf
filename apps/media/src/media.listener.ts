import {
  type CreatorFacts,
  creators,
  type Facts,
  identity,
  type OfferingFacts,
  offerings,
  type ReviewFacts,
} from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { MediaService } from './media.service.ts';
import { PreviewCardService } from './preview-card.service.ts';
import { WithdrawalService } from './withdrawal.service.ts';

@Injectable()
export class MediaListener {
  constructor(
    private readonly service: MediaService,
    private readonly cards: PreviewCardService,
    private readonly withdrawals: WithdrawalService,
  ) {}

  @Listens(creators.opened, creators.changed)
  async creatorChanged({ uid, profileImageId, headerImageId, version }: CreatorFacts, { id }: Delivery) {
    // A replica of the release before headers says nothing of them, which is not that there is none.
    const header = headerImageId === undefined ? {} : { 'profile-header': headerImageId };
    return this.service.attach({ id: uid, version }, { 'profile-picture': profileImageId, ...header }, id);
  }

  /** What becomes of an offering's cards offerings itself announces. */
  @Listens(creators.reviewed)
  async reviewed(facts: ReviewFacts): Promise<void> {
    const { uid, offering, outcome, at } = facts;
    await this.withdrawals.review(facts);
    if (offering) return;
    const position = BigInt(Date.parse(at));
    if (outcome === 'hidden') await this.cards.remove({ uid }, position);
    if (outcome === 'restored') await this.cards.allow(uid, position);
  }

  @Listens(offerings.published, offerings.changed)
  async offeringChanged(offering: OfferingFacts, { id }: Delivery) {
    const { coverImageId, fileId, fileIds, publicChange, version } = offering;
    const position = BigInt(version);
    // What its owner has taken from view leaves nothing behind.
    if (publicChange === -1) await this.cards.remove({ ownerId: offering.id }, position);
    if (publicChange === 1) await this.cards.allow(offering.id, position);
    // A replica of the release before files says nothing of them, which is not that there is none.
    const file = fileId === undefined ? {} : { 'offering-file': fileId };
    // One of the release before several files knows the first alone.
    const files = fileIds === undefined ? {} : { files: fileIds };
    return this.service.attach(offering, { 'offering-cover': coverImageId, ...file, ...files }, id);
  }

  @Listens(offerings.removed)
  async offeringRemoved(offering: OfferingFacts, { id }: Delivery) {
    await this.cards.remove({ ownerId: offering.id });
    await this.withdrawals.forgetOffering(offering.id);
    const none = { 'offering-cover': null, 'offering-file': null, files: [] };
    return this.service.attach(offering, none, id);
  }

  @Listens(creators.removed)
  async creatorRemoved({ uid, version }: CreatorFacts, { id }: Delivery) {
    await this.cards.remove({ uid });
    return this.service.attach({ id: uid, version }, { 'profile-picture': null, 'profile-header': null }, id);
  }

  @Listens(identity.closed)
  async accountClosed(facts: Facts<typeof identity.closed>, { id }: Delivery) {
    const { uid } = facts;
    await this.withdrawals.close(facts);
    await this.cards.remove({ uid });
    return this.service.close(uid, id);
  }
}
