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
import { IfMatchVersion, withVersionTag, withVersionTagOf } from './version-tag.ts';

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
    description:
      'There is none (404) before their first `POST /api/session`. Its `ETag` is for the `If-Match` of a change.',
    problems: [404],
  })
  async read(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return withVersionTagOf(reply, await this.bus.askForDocuments(creators.readOwn, {}, { caller }));
  }

  @Put('profile')
  @OptimisticEdit()
  @CreatorRoute(Creator, {
    summary: "Changes the caller's profile",
    description:
      'The form as a whole: what it says replaces what was there. The answer is the profile as it is now. A payment link of a published profile to a host that it had no link to takes a log-in of the last ten minutes (403 `fresh_login_required` otherwise).',
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
    const changing = this.bus.askForDocuments(creators.update, changes, { caller });
    return withVersionTagOf(
      reply,
      await this.reads.write([tags.creator(caller.uid), tags.firstPages], changing),
    );
  }

  @Get('offerings')
  @CreatorRoute(OfferingList, {
    summary: "Lists the caller's offerings",
    description:
      'In the order that visitors see, with what only their owner sees: file, delivery key and product link. Its `ETag` is for the `If-Match` of another order.',
  })
  async offerings(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return withVersionTag(reply, await this.bus.ask(offerings.listOwn, {}, { caller }));
  }

  @Put('offerings/order')
  @OptimisticEdit()
  @CreatorRoute(OfferingList, {
    summary: "Orders the caller's offerings",
    description:
      'Names each of them once; anything else is refused with 409. What is made later stands first, but below the pinned one.',
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
    description: 'They are mailed once the caller has proved their address.',
  })
  heldMessages(@CurrentCaller() caller: Caller) {
    return this.bus.ask(contact.countHeld, {}, { caller });
  }

  @Post('proof-mails')
  @CreatorRoute(null, {
    summary: "Mails the link that proves the caller's address",
    description: 'Refused with 429 while the last one is fresh.',
    status: 202,
  })
  async sendProof(@CurrentCaller() caller: Caller): Promise<void> {
    await this.bus.ask(identity.sendProof, {}, { caller });
  }

  // Below `api/uploads` it would hide the DELETE of an upload from clients that take the path for its own.
  @Get('room')
  @CreatorRoute(AccountRoom, {
    summary: "Reads the room of the caller's files and pictures",
    description: 'What they take and may take, in bytes.',
  })
  room(@CurrentCaller() caller: Caller) {
    return this.bus.ask(media.readRoom, {}, { caller });
  }
}
