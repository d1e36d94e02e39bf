import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';
import { MediaProxy } from './media.proxy.ts';
import { PasswordChanges } from './password-changes.ts';
import { PasswordChangesFollower } from './password-changes.follower.ts';
import { ReservedUsernames } from './reserved-usernames.ts';
import { ReservedUsernamesFollower } from './reserved-usernames.follower.ts';
import { SignInProxy } from './sign-in.proxy.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { UsedForms } from './used-forms.ts';

@Module({
  // As the gateway, it answers without NATS: people go on signing in and seeing pictures.
  imports: [PlatformModule.forEdge()],
  providers: [
    EdgeConfig,
    SignInLimits,
    { provide: PasswordChanges, useClass: PasswordChangesFollower },
    { provide: ReservedUsernames, useClass: ReservedUsernamesFollower },
    SignInProxy,
    UsedForms,
    MediaProxy,
  ],
})
export class EdgeModule {}
