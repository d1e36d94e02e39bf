import { creators, type Facts, offerings } from '@stoa/contracts';
import { Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { PublicReads } from './public-reads.ts';
import { tags } from './tags.ts';

type CreatorFacts = Facts<typeof creators.changed>;
type OfferingFacts = Facts<typeof offerings.changed>;

/** Makes the cached responses stale that an event affects. */
@Injectable()
export class PublicReadsListener {
  constructor(private readonly reads: PublicReads) {}

  @Listens(creators.opened)
  async creatorOpened({ uid }: CreatorFacts) {
    this.reads.forget([tags.creator(uid), tags.firstPages, tags.sitemap]);
  }

  @Listens(creators.changed)
  async creatorChanged({ uid }: CreatorFacts) {
    this.reads.forget([tags.creator(uid), tags.sitemap]);
  }

  @Listens(creators.removed)
  async creatorRemoved({ uid }: CreatorFacts) {
    this.reads.remove([tags.creator(uid), tags.offeringsOf(uid), tags.sitemap]);
  }

  /** Handles decisions about profiles only, because events of the offerings service include hidden offerings. */
  @Listens(creators.reviewed)
  async reviewed({ uid, offering, outcome }: Facts<typeof creators.reviewed>) {
    if (offering || outcome === 'upheld') return;
    const invalidatedBy = [tags.creator(uid), tags.offeringsOf(uid), tags.sitemap];
    this.reads[outcome === 'hidden' ? 'remove' : 'forget'](invalidatedBy);
    this.reads.forget([tags.lists]);
  }

  @Listens(creators.counted)
  async offeringsCounted({ uid }: Facts<typeof creators.counted>) {
    this.reads.forget([tags.creator(uid)]);
  }

  @Listens(offerings.published, offerings.changed)
  async offeringChanged({ creatorId, publicChange }: OfferingFacts) {
    // An offering that is no longer public must not be served even as stale, so its responses are deleted.
    const drop = publicChange === -1 ? 'remove' : 'forget';
    this.reads[drop]([tags.offeringsOf(creatorId), tags.sitemap]);
  }

  @Listens(offerings.removed)
  async offeringRemoved({ creatorId }: OfferingFacts) {
    this.reads.remove([tags.offeringsOf(creatorId), tags.sitemap]);
  }
}
