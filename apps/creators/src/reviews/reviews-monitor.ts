import { metrics, observeTogether } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Reviews } from './reviews.repository.ts';

const { reviewsWaiting, reviewsAge } = metrics;

/** Exports how many cases wait for an operator and for how long, so that alerts can report a neglected queue. */
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
