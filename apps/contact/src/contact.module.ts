import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { ContactConfig } from './contact.config.ts';
import { ContactController } from './contact.controller.ts';
import { ContactListener } from './contact.listener.ts';
import { MailerClient } from './mailer.client.ts';
import { MailQueue } from './mail-queue.ts';
import { ContactRepository } from './contact.repository.ts';
import { ContactService } from './contact.service.ts';
import { ContactSweeper } from './contact.sweeper.ts';
import { LinkChecker } from './link-checker.sweeper.ts';
import { LinkHealthController } from './link-health.controller.ts';
import { LinkHealthListener } from './link-health.listener.ts';
import { LinkHealthService } from './link-health.service.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [ContactController, LinkHealthController],
  providers: [
    ContactConfig,
    ContactService,
    ContactRepository,
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
