import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';
import { MediaProxy } from './media/media.proxy.ts';
import { PasswordChanges } from './accounts/password-changes.ts';
import { PasswordChangesFollower } from './accounts/password-changes.follower.ts';
import { ReservedUsernames } from './accounts/reserved-usernames.ts';
import { ReservedUsernamesFollower } from './accounts/reserved-usernames.follower.ts';
import { SignInProxy } from './sign-in/sign-in.proxy.ts';
import { SignInLimits } from './sign-in/sign-in-limits.ts';
import { UsedForms } from './media/used-forms.ts';

@Module({
  // `forEdge` starts without NATS, because log-ins and pictures do not need it.
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
