import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { CreatorsConfig } from './creators.config.ts';
import { CreatorsController } from './profiles/creators.controller.ts';
import { CreatorsListener } from './profiles/creators.listener.ts';
import { CreatorsRepository } from './profiles/creators.repository.ts';
import { Database } from './database.ts';
import { LinkListings } from './links/link-listings.repository.ts';
import { OfferingCounts } from './directory/offering-counts.repository.ts';
import { HiddenTitlesSweeper } from './directory/hidden-titles.sweeper.ts';
import { LinkListingsSweeper } from './links/link-listings.sweeper.ts';
import { Payees } from './payments/payees.repository.ts';
import { PayeesSweeper } from './payments/payees.sweeper.ts';
import { PublicCreatorsRepository } from './directory/public-creators.repository.ts';
import { CreatorsService } from './profiles/creators.service.ts';
import { ReservedUsernames } from './profiles/reserved-usernames.repository.ts';
import { ReviewsController } from './reviews/reviews.controller.ts';
import { Reviews } from './reviews/reviews.repository.ts';
import { ReviewsMonitor } from './reviews/reviews-monitor.ts';
import { ReviewsService } from './reviews/reviews.service.ts';
import { ReviewsSweeper } from './reviews/reviews.sweeper.ts';
import { SearchTexts } from './directory/search-texts.repository.ts';
import { SearchTextsSweeper } from './directory/search-texts.sweeper.ts';
import { Titles } from './directory/titles.repository.ts';
import { Visits } from './visits/visits.repository.ts';
import { VisitsListener } from './visits/visits.listener.ts';
import { VisitsService } from './visits/visits.service.ts';
import { VisitsSweeper } from './visits/visits.sweeper.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [CreatorsController, ReviewsController],
  providers: [
    CreatorsConfig,
    CreatorsService,
    Database,
    CreatorsRepository,
    PublicCreatorsRepository,
    ReservedUsernames,
    Payees,
    OfferingCounts,
    Titles,
    SearchTexts,
    LinkListings,
    Reviews,
    Visits,
    CreatorsListener,
    ReviewsService,
    ReviewsSweeper,
    ReviewsMonitor,
    VisitsService,
    VisitsListener,
    VisitsSweeper,
    LinkListingsSweeper,
    PayeesSweeper,
    HiddenTitlesSweeper,
    SearchTextsSweeper,
  ],
})
export class CreatorsModule {}
