import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { AccountRecovery } from './account-recovery.ts';
import { ChangeMailer } from './change-mailer.ts';
import { IdentityConfig } from './identity.config.ts';
import { IdentityController } from './identity.controller.ts';
import { IdentityRepository } from './identity.repository.ts';
import { IdentityService } from './identity.service.ts';
import { KeycloakClient } from './keycloak.client.ts';
import { ProofMailer } from './proof-mailer.ts';
import { RealmFollower } from './realm.follower.ts';

@Module({
  imports: [PlatformModule.forService({ announces: true })],
  controllers: [IdentityController],
  providers: [
    IdentityConfig,
    IdentityService,
    IdentityRepository,
    KeycloakClient,
    ProofMailer,
    ChangeMailer,
    AccountRecovery,
    RealmFollower,
  ],
})
export class IdentityModule {}
