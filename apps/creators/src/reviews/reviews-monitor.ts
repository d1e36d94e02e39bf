import { metrics, observeTogether } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Reviews } from './reviews.repository.ts';

const { reviewsWaiting, reviewsAge } = metrics;

/** Exports metrics of the number of waiting cases and the longest wait, for alerts. */
@Injectable()
export class ReviewsMonitor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private unobserve: () => void = () => undefined;

  constructor(private readonly reviews: Reviews) {}

  onApplicationBootstrap(): void {
    this.unobserve = observeTogether({ reviewsWaiting, reviewsAge }, async () => {
      const { cases, ageSeconds } = await this.reviews.waiting();
      return { reviewsWaiting: cases, reviewsAge: ageSeconds };
    });
  }

  beforeApplicationShutdown(): void {
    this.unobserve();
  }
}
