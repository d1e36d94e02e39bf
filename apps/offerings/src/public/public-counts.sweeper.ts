import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { OfferingsConfig } from '../offerings.config.ts';
import { PublicCounts } from './public-counts.repository.ts';

/** Publishes all counts of public offerings periodically, so that services correct wrong ones (anti-entropy). */
@Injectable()
export class PublicCountsSweeper extends Sweeper {
  readonly #pauseMs: number;

  constructor(
    private readonly counts: PublicCounts,
    { COUNT_PAGE_MS }: OfferingsConfig,
  ) {
    // More often than pages are due, since another replica may have published the previous page.
    super({ firstMs: 0, everyMs: Math.ceil(COUNT_PAGE_MS / 3) });
    this.#pauseMs = COUNT_PAGE_MS;
  }

  protected async sweep(): Promise<void> {
    await this.counts.publishPage(this.#pauseMs);
  }
}
