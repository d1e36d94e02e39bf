import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { Database } from './database.ts';
import { LinkListingsSweeper } from './links/link-listings.sweeper.ts';
import { LinkListings } from './links/link-listings.repository.ts';
import { OfferingsConfig } from './offerings.config.ts';
import { OfferingsController } from './catalog/offerings.controller.ts';
import { OfferingsListener } from './catalog/offerings.listener.ts';
import { OfferingsRepository } from './catalog/offerings.repository.ts';
import { Payees } from './payments/payees.repository.ts';
import { PayeesSweeper } from './payments/payees.sweeper.ts';
import { ProfileTakedowns } from './catalog/profile-takedowns.repository.ts';
import { PublicCounts } from './public/public-counts.repository.ts';
import { PublicCountsSweeper } from './public/public-counts.sweeper.ts';
import { PublicOfferingsRepository } from './public/public-offerings.repository.ts';
import { OfferingsService } from './catalog/offerings.service.ts';
import { SalesController } from './sales/sales.controller.ts';
import { SalesRepository } from './sales/sales.repository.ts';
import { SalesService } from './sales/sales.service.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [OfferingsController, SalesController],
  providers: [
    OfferingsConfig,
    OfferingsService,
    Database,
    OfferingsRepository,
    PublicOfferingsRepository,
    SalesRepository,
    SalesService,
    Payees,
    ProfileTakedowns,
    PublicCounts,
    LinkListings,
    OfferingsListener,
    LinkListingsSweeper,
    PayeesSweeper,
    PublicCountsSweeper,
  ],
})
export class OfferingsModule {}
