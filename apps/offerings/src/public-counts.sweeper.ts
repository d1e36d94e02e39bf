import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { OfferingsConfig } from './offerings.config.ts';
import { OfferingsRepository } from './offerings.repository.ts';
import type { PublicCounts } from './public-counts.repository.ts';

/** Tells over and over how many offerings visitors see of each creator, so that no count stays wrong. */
@Injectable()
export class PublicCountsTeller extends Sweeper {
  readonly #counts: PublicCounts;
  readonly #pauseMs: number;

  constructor(repository: OfferingsRepository, { COUNT_PAGE_MS }: OfferingsConfig) {
    // More often than a page is due: another replica may have told the last one.
    super({ firstMs: 0, everyMs: Math.ceil(COUNT_PAGE_MS / 3) });
    this.#counts = repository.publicCounts;
    this.#pauseMs = COUNT_PAGE_MS;
  }

  protected async sweep(): Promise<void> {
    await this.#counts.tellPage(this.#pauseMs);
  }
}
