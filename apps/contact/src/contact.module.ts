import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { CheckedLinks } from './link-health/checked-links.repository.ts';
import { ContactConfig } from './contact.config.ts';
import { ContactController } from './messages/contact.controller.ts';
import { ContactListener } from './messages/contact.listener.ts';
import { MailerClient } from './messages/mailer.client.ts';
import { MailQueue } from './messages/mail-queue.ts';
import { ContactRepository } from './messages/contact.repository.ts';
import { ContactService } from './messages/contact.service.ts';
import { ContactSweeper } from './messages/contact.sweeper.ts';
import { Database } from './database.ts';
import { LinkChecker } from './link-health/link-checker.sweeper.ts';
import { LinkHealthController } from './link-health/link-health.controller.ts';
import { LinkHealthListener } from './link-health/link-health.listener.ts';
import { LinkHealthService } from './link-health/link-health.service.ts';
import { UnsentMessages } from './messages/unsent-messages.repository.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [ContactController, LinkHealthController],
  providers: [
    ContactConfig,
    ContactService,
    Database,
    ContactRepository,
    UnsentMessages,
    CheckedLinks,
    MailerClient,
    MailQueue,
    ContactSweeper,
    ContactListener,
    LinkHealthService,
    LinkHealthListener,
    LinkChecker,
  ],
})
export class ContactModule {}
