import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Titles } from './titles.repository.ts';

const hourMs = 3_600_000;

@Injectable()
export class HiddenTitlesSweeper extends Sweeper {
  constructor(private readonly titles: Titles) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(): Promise<void> {
    await this.titles.deleteHidden();
  }
}
