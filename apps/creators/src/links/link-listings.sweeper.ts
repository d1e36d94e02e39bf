import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LinkListings } from './link-listings.repository.ts';

/** The pause between two batches: a first run can have many pages, and other events need the outbox too. */
const batchMs = 5000;
/** The longest delay of an announcement if a notification is lost. */
const everyMs = 60_000;

/** Announces the public links of changed profiles. */
@Injectable()
export class LinkListingsSweeper extends Sweeper {
  constructor(private readonly listings: LinkListings) {
    super({ everyMs, retryMs: batchMs }, 'unlisted_page');
  }

  protected async sweep(): Promise<number | void> {
    this.rest(batchMs);
    return this.listings.announceBatch();
  }
}
