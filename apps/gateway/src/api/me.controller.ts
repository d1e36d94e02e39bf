import {
  AccountRoom,
  type Caller,
  contact,
  Creator,
  creators,
  HeldMessages,
  identity,
  media,
  OfferingList,
  OfferingOrderForm,
  offerings,
  ProfileForm,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Get, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute, OptimisticEdit } from './openapi.decorator.ts';
import { UploadResolver } from './upload-resolver.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { tags } from '../reads/tags.ts';
import { IfMatchVersion, withVersionTag } from './version-tag.ts';

@Controller('api/me')
export class MeController {
  constructor(
    private readonly bus: Bus,
    private readonly uploads: UploadResolver,
    private readonly reads: PublicReads,
  ) {}

  @Get()
  @CreatorRoute(Creator, {
    summary: "Reads the caller's own profile",
    description: '404 before the first `POST /api/session`. Send its `ETag` as `If-Match` of a change.',
    problems: [404],
  })
  async read(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return withVersionTag(reply, await this.bus.ask(creators.readOwn, {}, { caller }));
  }

  @Put('profile')
  @OptimisticEdit()
  @CreatorRoute(Creator, {
    summary: "Changes the caller's profile",
    description:
      'Replaces the whole form. The response is the current profile. For a published profile, a payment link to a new host requires a log-in of the last ten minutes (403 `fresh_login_required` otherwise).',
    problems: [403, 404, 413],
  })
  async update(
    @Body({ schema: ProfileForm }) { profileImageId, headerImageId, ...form }: ProfileForm,
    @CurrentCaller() caller: Caller,
    @IfMatchVersion() editedVersion: number | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const profileImage = await this.uploads.resolve('profileImageId', profileImageId, caller);
    const headerImage = await this.uploads.resolve('headerImageId', headerImageId, caller);
    const changes = { ...form, profileImage, headerImage, editedVersion };
    const changing = this.bus.ask(creators.update, changes, { caller });
    return withVersionTag(
      reply,
      await this.reads.write([tags.creator(caller.uid), tags.firstPages], changing),
    );
  }

  @Get('offerings')
  @CreatorRoute(OfferingList, {
    summary: "Lists the caller's offerings",
    description:
      'In the order that visitors see, with the fields that only the owner sees: file, delivery key and product link. Send its `ETag` as `If-Match` of a new order.',
  })
  async offerings(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return withVersionTag(reply, await this.bus.ask(offerings.listOwn, {}, { caller }));
  }

  @Put('offerings/order')
  @OptimisticEdit()
  @CreatorRoute(OfferingList, {
    summary: "Orders the caller's offerings",
    description:
      'Names each offering exactly once (409 otherwise). A later offering becomes the first, after the pinned one.',
    problems: [409, 413],
  })
  async reorder(
    @Body({ schema: OfferingOrderForm }) form: OfferingOrderForm,
    @CurrentCaller() caller: Caller,
    @IfMatchVersion() editedVersion: number | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const reordering = this.bus.ask(offerings.reorder, { ...form, editedVersion }, { caller });
    return withVersionTag(reply, await this.reads.write([tags.offeringsOf(caller.uid)], reordering));
  }

  @Get('held-messages')
  @CreatorRoute(HeldMessages, {
    summary: 'Counts the messages that wait for the caller',
    description: 'They are mailed once the caller has confirmed their address.',
  })
  heldMessages(@CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.countHeld, {}, { caller });
  }

  @Post('proof-mails')
  @CreatorRoute(null, {
    summary: "Mails the link that confirms the caller's address",
    description: 'Refused with 429 shortly after the last mail, and at the daily limit of the address.',
    status: 202,
  })
  async sendProof(@CurrentCaller() caller: Caller): Promise<void> {
    await this.bus.ask(identity.sendProof, {}, { caller });
  }

  // This path is not below `api/uploads`, because `DELETE api/uploads/:id` would match it.
  @Get('room')
  @CreatorRoute(AccountRoom, {
    summary: "Reads the storage of the caller's files and pictures",
    description: 'Used and allowed storage, in bytes.',
  })
  room(@CurrentCaller() caller: Caller) {
    return this.bus.ask(media.readRoom, {}, { caller });
  }
}
