import { invalidInput } from '@stoa/messaging';
import { PlatformModule } from '@stoa/platform';
import { Module, StandardSchemaValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccountChangesController } from './account-changes.controller.ts';
import { AccountSessionsController } from './account-sessions.controller.ts';
import { AccessGuard } from './auth/access.guard.ts';
import { EndedSessionsFollower } from './auth/ended-sessions.follower.ts';
import { IssuerMonitor } from './auth/issuer.monitor.ts';
import { JwtStrategy } from './auth/jwt.strategy.ts';
import { ContactController } from './contact.controller.ts';
import { CreatorsController } from './creators.controller.ts';
import { DownloadsController } from './downloads.controller.ts';
import { FileResolver } from './file-resolver.ts';
import { GatewayConfig } from './gateway.config.ts';
import { MeController } from './me.controller.ts';
import { OfferingsController } from './offerings.controller.ts';
import { PagesController } from './pages.controller.ts';
import { PictureResolver } from './picture-resolver.ts';
import { ProblemFilter } from './problem.filter.ts';
import { PublicCache } from './public-cache.ts';
import { PublicCacheListener } from './public-cache.listener.ts';
import { RateLimits } from './rate-limits.ts';
import { SessionController } from './session.controller.ts';
import { SiteController } from './site.controller.ts';
import { SitemapController } from './sitemap.controller.ts';
import { UploadsController } from './uploads.controller.ts';
import { WebApp } from './web-app.ts';

@Module({
  imports: [PlatformModule.forGateway(), PassportModule],
  controllers: [
    SessionController,
    MeController,
    AccountSessionsController,
    AccountChangesController,
    OfferingsController,
    CreatorsController,
    UploadsController,
    DownloadsController,
    ContactController,
    SiteController,
    SitemapController,
    // Last: it takes every address that nobody else does.
    PagesController,
  ],
  providers: [
    GatewayConfig,
    JwtStrategy,
    EndedSessionsFollower,
    IssuerMonitor,
    FileResolver,
    PictureResolver,
    PublicCache,
    PublicCacheListener,
    WebApp,
    RateLimits,
    { provide: APP_GUARD, useClass: AccessGuard },
    {
      provide: APP_PIPE,
      useValue: new StandardSchemaValidationPipe({
        exceptionFactory: invalidInput,
        validateCustomDecorators: true,
      }),
    },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class GatewayModule {}
