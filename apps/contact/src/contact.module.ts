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

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [ContactController],
  providers: [
    ContactConfig,
    ContactService,
    ContactRepository,
    MailerClient,
    MailQueue,
    ContactSweeper,
    ContactListener,
  ],
})
export class ContactModule {}
