import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { LinkLister } from './link-lister.sweeper.ts';
import { OfferingsConfig } from './offerings.config.ts';
import { OfferingsController } from './offerings.controller.ts';
import { OfferingsListener } from './offerings.listener.ts';
import { OfferingsRepository } from './offerings.repository.ts';
import { PayeeForgetter } from './payees.sweeper.ts';
import { PublicCountsTeller } from './public-counts.sweeper.ts';
import { PublicOfferingsRepository } from './public-offerings.repository.ts';
import { OfferingsService } from './offerings.service.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [OfferingsController],
  providers: [
    OfferingsConfig,
    OfferingsService,
    OfferingsRepository,
    PublicOfferingsRepository,
    OfferingsListener,
    LinkLister,
    PayeeForgetter,
    PublicCountsTeller,
  ],
})
export class OfferingsModule {}
