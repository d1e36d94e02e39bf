import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { LinkListings } from './link-listings.repository.ts';

/** Milliseconds between two batches. A first run may have many profiles, and other events need the outbox too. */
const batchMs = 5000;
/** Starts a round at least this often, in milliseconds, in case a notification of the database gets lost. */
const everyMs = 60_000;

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
