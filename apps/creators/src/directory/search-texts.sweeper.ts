import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { SearchTexts } from './search-texts.repository.ts';

const everyMs = 5000;
/** Maximum milliseconds of a round. A release may have to convert a million rows, while requests need the database too. */
const maxRoundMs = 2500;

/** Converts search texts that another release has written. */
@Injectable()
export class SearchTextsSweeper extends Sweeper {
  constructor(private readonly texts: SearchTexts) {
    super({ firstMs: 0, everyMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    const until = Date.now() + maxRoundMs;
    const mayContinue = () => !stopping.aborted && Date.now() < until;
    for (const fold of [
      (after?: string) => this.texts.foldProfiles(after),
      (after?: string) => this.texts.foldTitles(after),
    ])
      for (let after: string | null | undefined; after !== null && mayContinue();) after = await fold(after);
  }
}
