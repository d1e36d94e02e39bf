import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { ReviewsService } from './reviews.service.ts';

const hourMs = 3_600_000;

/** Deletes expired cases, reports' networks and reservations of usernames. */
@Injectable()
export class ReviewsSweeper extends Sweeper {
  constructor(private readonly service: ReviewsService) {
    super({ firstMs: 90_000, everyMs: hourMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    await this.service.deleteExpired(stopping);
  }
}
