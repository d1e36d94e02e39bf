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
import { AttachmentsService } from './attachments.service.ts';
import { PreviewCardService } from '../cards/preview-card.service.ts';
import { WithdrawalService } from '../withdrawals/withdrawal.service.ts';

@Injectable()
export class MediaListener {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly cards: PreviewCardService,
    private readonly withdrawals: WithdrawalService,
  ) {}

  @Listens(creators.opened, creators.changed)
  async creatorChanged({ uid, profileImageId, headerImageId, version }: CreatorFacts, { id }: Delivery) {
    const pictures = { 'profile-picture': profileImageId, 'profile-header': headerImageId };
    return this.attachments.attach({ id: uid, version }, pictures, id);
  }

  /** Only decisions about profiles count here: for offerings, the offerings service sends `publicChange`. */
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
    const { coverImageId, fileIds, publicChange, version } = offering;
    const position = BigInt(version);
    // `publicChange` is -1 if the offering is no longer public, and 1 if it is public again.
    if (publicChange === -1) await this.cards.remove({ ownerId: offering.id }, position);
    if (publicChange === 1) await this.cards.allow(offering.id, position);
    return this.attachments.attach(offering, { 'offering-cover': coverImageId, files: fileIds }, id);
  }

  @Listens(offerings.removed)
  async offeringRemoved(offering: OfferingFacts, { id }: Delivery) {
    await this.cards.remove({ ownerId: offering.id });
    await this.withdrawals.forgetOffering(offering.id);
    return this.attachments.attach(offering, { 'offering-cover': null, files: [] }, id);
  }

  @Listens(creators.removed)
  async creatorRemoved({ uid, version }: CreatorFacts, { id }: Delivery) {
    await this.cards.remove({ uid });
    return this.attachments.attach(
      { id: uid, version },
      { 'profile-picture': null, 'profile-header': null },
      id,
    );
  }

  @Listens(identity.closed)
  async accountClosed(facts: Facts<typeof identity.closed>, { id }: Delivery) {
    const { uid } = facts;
    await this.withdrawals.close(facts);
    await this.cards.remove({ uid });
    return this.attachments.close(uid, id);
  }
}
