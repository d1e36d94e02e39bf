import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { AccountDeleter } from './account-deleter.ts';
import { AccountRecovery } from './account-recovery.ts';
import { ChangeMailer } from './change-mailer.ts';
import { DeadLinkMailer } from './dead-link-mailer.ts';
import { DueMailsSweeper } from './due-mails.sweeper.ts';
import { ExportMailer } from './export-mailer.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityController } from './identity.controller.ts';
import { IdentityListener } from './identity.listener.ts';
import { IdentityRepository } from './identity.repository.ts';
import { IdentityService } from './identity.service.ts';
import { KeycloakClient } from './keycloak.client.ts';
import { LogInWarningMailer } from './log-in-warning-mailer.ts';
import { MailerClient } from './mailer.client.ts';
import { ProofMailer } from './proof-mailer.ts';
import { RealmFollower } from './realm.follower.ts';
import { ReviewMailer } from './review-mailer.ts';
import { SessionBrowsersSweeper } from './session-browsers.sweeper.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [IdentityController],
  providers: [
    IdentityConfig,
    IdentityService,
    IdentityRepository,
    KeycloakClient,
    MailerClient,
    ProofMailer,
    ChangeMailer,
    AccountRecovery,
    AccountDeleter,
    ExportMailer,
    ReviewMailer,
    DeadLinkMailer,
    LogInWarningMailer,
    DueMailsSweeper,
    SessionBrowsersSweeper,
    IdentityListener,
    RealmFollower,
  ],
})
export class IdentityModule {}
