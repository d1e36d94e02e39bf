import {
  type Caller,
  contact,
  Creator,
  creators,
  HeldMessages,
  identity,
  OfferingList,
  offerings,
  ProfileForm,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';
import { PictureResolver } from './picture-resolver.ts';

@Controller('api/me')
export class MeController {
  constructor(
    private readonly bus: Bus,
    private readonly pictures: PictureResolver,
  ) {}

  @Get()
  @CreatorRoute(Creator, { problems: [404] })
  read(@CurrentCaller() caller: Caller) {
    return this.bus.ask(creators.readOwn, {}, { caller });
  }

  @Put('profile')
  @CreatorRoute(Creator, { problems: [404, 413] })
  async update(
    @Body({ schema: ProfileForm }) { profileImageId, ...form }: ProfileForm,
    @CurrentCaller() caller: Caller,
  ) {
    const profileImage = await this.pictures.resolve('profileImageId', profileImageId, caller);
    return this.bus.ask(creators.update, { ...form, profileImage }, { caller });
  }

  @Get('offerings')
  @CreatorRoute(OfferingList)
  offerings(@CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.listOwn, {}, { caller });
  }

  /** How many messages wait until the creator proves their address. */
  @Get('held-messages')
  @CreatorRoute(HeldMessages)
  heldMessages(@CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.countHeld, {}, { caller });
  }

  /** Mails the link that proves the creator's address once more. */
  @Post('proof-mails')
  @CreatorRoute(null, { status: 202 })
  async sendProof(@CurrentCaller() caller: Caller): Promise<void> {
    await this.bus.ask(identity.sendProof, {}, { caller });
  }
}
