import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { CreatorsRepository } from './creators.repository.ts';
import type { SearchTexts } from './search-texts.repository.ts';

const everyMs = 5000;
/** A round ends after this time: a release with a new folding has a million rows to go through, and others use the database too. */
const roundMs = 2500;

/** Folds search texts that another release wrote, until all are folded as now. */
@Injectable()
export class SearchTextsSweeper extends Sweeper {
  readonly #texts: SearchTexts;

  constructor(repository: CreatorsRepository) {
    super({ firstMs: 0, everyMs });
    this.#texts = repository.searchTexts;
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    const until = Date.now() + roundMs;
    const goOn = () => !stopping.aborted && Date.now() < until;
    while (goOn() && (await this.#texts.foldProfiles()) > 0);
    while (goOn() && (await this.#texts.foldTitles()) > 0);
  }
}
