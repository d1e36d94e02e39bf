import { PlatformModule } from '@stoa/platform';
import { Module } from '@nestjs/common';
import { EdgeConfig } from './edge.config.ts';
import { MediaDoor } from './media.door.ts';
import { PasswordChanges } from './password-changes.ts';
import { PasswordChangesFollower } from './password-changes.follower.ts';
import { SignInDoor } from './sign-in.door.ts';
import { SignInLimits } from './sign-in.limits.ts';

@Module({
  // As the gateway, it answers without NATS: people go on signing in and seeing pictures.
  imports: [PlatformModule.forDoor()],
  providers: [
    EdgeConfig,
    SignInLimits,
    { provide: PasswordChanges, useClass: PasswordChangesFollower },
    SignInDoor,
    MediaDoor,
  ],
})
export class EdgeModule {}
