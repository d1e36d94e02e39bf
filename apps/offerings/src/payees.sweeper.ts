import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { OfferingsRepository } from './offerings.repository.ts';

const everyMs = 60_000;

/** Forgets payees that no public page has led to for longer than the guard asks. */
@Injectable()
export class PayeeForgetter extends Sweeper {
  readonly #repository: OfferingsRepository;

  constructor(repository: OfferingsRepository) {
    super({ firstMs: everyMs, everyMs });
    this.#repository = repository;
  }

  protected async sweep(): Promise<void> {
    await this.#repository.forgetOldPayees();
  }
}
