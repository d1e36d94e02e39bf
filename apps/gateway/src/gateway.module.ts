import { invalidInput } from '@stoa/messaging';
import { PlatformModule } from '@stoa/platform';
import { Module, StandardSchemaValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccountChangesController } from './api/account-changes.controller.ts';
import { LinkChangesController } from './api/link-changes.controller.ts';
import { LinkHealthController } from './api/link-health.controller.ts';
import { AccountDeletionController } from './api/account-deletion.controller.ts';
import { AccountExportSweeper } from './api/account-export.sweeper.ts';
import { AccountExportController } from './api/account-export.controller.ts';
import { AccountSessionsController } from './api/account-sessions.controller.ts';
import { SecondFactorsController } from './api/second-factors.controller.ts';
import { AccessGuard } from './auth/access.guard.ts';
import { EndedSessionsFollower } from './auth/ended-sessions.follower.ts';
import { IssuerMonitor } from './auth/issuer-monitor.ts';
import { JwtStrategy } from './auth/jwt.strategy.ts';
import { ContactController } from './api/contact.controller.ts';
import { CreatorsController } from './api/creators.controller.ts';
import { DownloadsController } from './api/downloads.controller.ts';
import { GatewayConfig } from './gateway.config.ts';
import { MeController } from './api/me.controller.ts';
import { NumbersController } from './api/numbers.controller.ts';
import { OfferingsController } from './api/offerings.controller.ts';
import { AssetArchive } from './pages/asset-archive.ts';
import { AssetsController } from './pages/assets.controller.ts';
import { CalendarController } from './pages/calendar.controller.ts';
import { EmbedController } from './pages/embed.controller.ts';
import { FeedController } from './pages/feed.controller.ts';
import { PlainFormsController } from './pages/plain-forms.controller.ts';
import { PagesController } from './pages/pages.controller.ts';
import { PreviewCardsController } from './api/preview-cards.controller.ts';
import { ProblemFilter } from './http/problem.filter.ts';
import { CreatorReads } from './reads/creator-reads.ts';
import { OfferingsLoader } from './reads/offerings-loader.ts';
import { ProfileLoader } from './reads/profile-loader.ts';
import { PublicReads } from './reads/public-reads.ts';
import { PublicReadsListener } from './reads/public-reads.listener.ts';
import { ThumbnailReads } from './reads/thumbnail-reads.ts';
import { RateLimits } from './http/rate-limits.ts';
import { ReportsController } from './api/reports.controller.ts';
import { ReviewsController } from './api/reviews.controller.ts';
import { SalesController } from './sales/sales.controller.ts';
import { SessionController } from './api/session.controller.ts';
import { ShowcaseController } from './api/showcase.controller.ts';
import { SiteController } from './api/site.controller.ts';
import { PublicPages } from './pages/public-pages.ts';
import { SitemapController } from './pages/sitemap.controller.ts';
import { WellKnownController } from './pages/well-known.controller.ts';
import { UploadResolver } from './api/upload-resolver.ts';
import { UploadsController } from './api/uploads.controller.ts';
import { UsernamesController } from './api/usernames.controller.ts';
import { VisitorHashes } from './visits/visitor-hashes.ts';
import { VisitRecorder } from './visits/visit-recorder.ts';
import { VisitsController } from './api/visits.controller.ts';
import { WebApp } from './pages/web-app.ts';

@Module({
  imports: [PlatformModule.forGateway(), PassportModule],
  controllers: [
    SessionController,
    MeController,
    NumbersController,
    VisitsController,
    AccountSessionsController,
    SecondFactorsController,
    AccountDeletionController,
    AccountExportController,
    AccountChangesController,
    LinkChangesController,
    LinkHealthController,
    OfferingsController,
    SalesController,
    CreatorsController,
    ShowcaseController,
    PreviewCardsController,
    UploadsController,
    UsernamesController,
    DownloadsController,
    ContactController,
    ReportsController,
    ReviewsController,
    SiteController,
    SitemapController,
    WellKnownController,
    FeedController,
    CalendarController,
    EmbedController,
    AssetsController,
    // These two come last, because the wildcard of PagesController matches every address.
    PlainFormsController,
    PagesController,
  ],
  providers: [
    GatewayConfig,
    JwtStrategy,
    EndedSessionsFollower,
    IssuerMonitor,
    UploadResolver,
    AccountExportSweeper,
    CreatorReads,
    OfferingsLoader,
    ProfileLoader,
    PublicPages,
    PublicReads,
    PublicReadsListener,
    ThumbnailReads,
    WebApp,
    AssetArchive,
    VisitorHashes,
    VisitRecorder,
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
