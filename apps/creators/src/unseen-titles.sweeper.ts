import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { CreatorsRepository } from './creators.repository.ts';
import type { Titles } from './titles.repository.ts';

const hourMs = 3_600_000;

/** Forgets offerings that nobody has seen for long. */
@Injectable()
export class UnseenTitlesSweeper extends Sweeper {
  readonly #titles: Titles;

  constructor(repository: CreatorsRepository) {
    super({ firstMs: 60_000, everyMs: hourMs });
    this.#titles = repository.titles;
  }

  protected async sweep(): Promise<void> {
    await this.#titles.forgetUnseen();
  }
}
