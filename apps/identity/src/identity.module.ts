import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { AccountDeleter } from './deletion/account-deleter.ts';
import { AccountDeletions } from './deletion/account-deletions.repository.ts';
import { AccountRecovery } from './recovery/account-recovery.ts';
import { ChangeMailer } from './recovery/change-mailer.ts';
import { Database } from './database.ts';
import { DeadLinkMailer } from './notices/dead-link-mailer.ts';
import { DeadLinkMails } from './notices/dead-link-mails.repository.ts';
import { DueMailsSweeper } from './notices/due-mails.sweeper.ts';
import { ExportMailer } from './notices/export-mailer.ts';
import { ExportMails } from './notices/export-mails.repository.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityController } from './accounts/identity.controller.ts';
import { IdentityListener } from './accounts/identity.listener.ts';
import { IdentityRepository } from './accounts/identity.repository.ts';
import { IdentityService } from './accounts/identity.service.ts';
import { KeycloakClient } from './keycloak/keycloak.client.ts';
import { LinkChangeMailer } from './recovery/link-change-mailer.ts';
import { LinkChanges } from './recovery/link-changes.repository.ts';
import { LogInWarningMailer } from './notices/log-in-warning-mailer.ts';
import { LogInWarnings } from './notices/log-in-warnings.repository.ts';
import { MailerClient } from './mails/mailer.client.ts';
import { OwnerChanges } from './recovery/owner-changes.repository.ts';
import { ProofMailer } from './accounts/proof-mailer.ts';
import { RealmEventsSweeper } from './realm/realm-events.sweeper.ts';
import { RealmReadings } from './realm/realm-readings.repository.ts';
import { RealmFollower } from './realm/realm.follower.ts';
import { RecipientMails } from './mails/recipient-mails.repository.ts';
import { ReviewMailer } from './notices/review-mailer.ts';
import { ReviewMails } from './notices/review-mails.repository.ts';
import { SessionBrowsersSweeper } from './sessions/session-browsers.sweeper.ts';
import { Sessions } from './sessions/sessions.repository.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [IdentityController],
  providers: [
    IdentityConfig,
    Database,
    IdentityService,
    IdentityRepository,
    AccountDeletions,
    DeadLinkMails,
    ExportMails,
    LinkChanges,
    LogInWarnings,
    OwnerChanges,
    RealmReadings,
    RecipientMails,
    ReviewMails,
    Sessions,
    KeycloakClient,
    MailerClient,
    ProofMailer,
    ChangeMailer,
    LinkChangeMailer,
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
    RealmEventsSweeper,
  ],
})
export class IdentityModule {}
