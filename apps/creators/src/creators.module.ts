import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { CreatorsConfig } from './creators.config.ts';
import { CreatorsController } from './creators.controller.ts';
import { CreatorsListener } from './creators.listener.ts';
import { CreatorsRepository } from './creators.repository.ts';
import { PayeeForgetter } from './payees.sweeper.ts';
import { LinkLister } from './link-lister.sweeper.ts';
import { PublicCreatorsRepository } from './public-creators.repository.ts';
import { CreatorsService } from './creators.service.ts';
import { ReviewsController } from './reviews.controller.ts';
import { ReviewsMonitor } from './reviews-monitor.ts';
import { ReviewsService } from './reviews.service.ts';
import { ReviewsSweeper } from './reviews.sweeper.ts';
import { SearchTextsSweeper } from './search-texts.sweeper.ts';
import { UnseenTitlesSweeper } from './unseen-titles.sweeper.ts';
import { VisitsListener } from './visits.listener.ts';
import { VisitsService } from './visits.service.ts';
import { VisitsSweeper } from './visits.sweeper.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [CreatorsController, ReviewsController],
  providers: [
    CreatorsConfig,
    CreatorsService,
    CreatorsRepository,
    PublicCreatorsRepository,
    CreatorsListener,
    ReviewsService,
    ReviewsSweeper,
    ReviewsMonitor,
    VisitsService,
    VisitsListener,
    VisitsSweeper,
    LinkLister,
    PayeeForgetter,
    UnseenTitlesSweeper,
    SearchTextsSweeper,
  ],
})
export class CreatorsModule {}
