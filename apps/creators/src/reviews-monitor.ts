import { metrics, observeTogether } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CreatorsRepository } from './creators.repository.ts';

const { reviewsWaiting, reviewsAge } = metrics;

/** Tells how much waits for an operator, and for how long: nobody else would notice that nobody looks. */
@Injectable()
export class ReviewsMonitor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private unobserve: () => void = () => undefined;

  constructor(private readonly creators: CreatorsRepository) {}

  onApplicationBootstrap(): void {
    this.unobserve = observeTogether({ reviewsWaiting, reviewsAge }, async () => {
      const { cases, ageSeconds } = await this.creators.reviews.waiting();
      return { reviewsWaiting: cases, reviewsAge: ageSeconds };
    });
  }

  beforeApplicationShutdown(): void {
    this.unobserve();
  }
}
