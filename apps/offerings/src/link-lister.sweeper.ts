import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import type { LinkListings } from './link-listings.repository.ts';
import { OfferingsRepository } from './offerings.repository.ts';

const everyMs = 5000;

/** Announces which links visitors see, of pages from before that was asked for too. */
@Injectable()
export class LinkLister extends Sweeper {
  readonly #listings: LinkListings;

  constructor(repository: OfferingsRepository) {
    super({ firstMs: 0, everyMs });
    this.#listings = repository.linkListings;
  }

  /** One batch each time: what there is at first may be much, and others announce things too. */
  protected async sweep(): Promise<void> {
    await this.#listings.announceSome();
  }
}
