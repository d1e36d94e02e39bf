import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { ReviewsService } from './reviews.service.ts';

const hourMs = 3_600_000;

/** Forgets cases that are over and have had their time, with all that was said in them. */
@Injectable()
export class ReviewsSweeper extends Sweeper {
  constructor(private readonly service: ReviewsService) {
    super({ firstMs: 90_000, everyMs: hourMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    await this.service.forget(stopping);
  }
}
