import {
  type Caller,
  deliveryKeyHeader,
  DuplicateForm,
  type FileChoice,
  Id,
  limits,
  NewOfferingForm,
  Offering,
  OfferingForm,
  offerings,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Delete, Get, Param, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute, OptimisticEdit } from './openapi.decorator.ts';
import { UploadResolver } from './upload-resolver.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { tags } from '../reads/tags.ts';
import { IfMatchVersion, withVersionTag } from './version-tag.ts';

const OfferingId = Id.describe('An offering of the caller.');
const ofThis = { id: '$response.body#/id' };

@Controller('api/offerings')
export class OfferingsController {
  constructor(
    private readonly bus: Bus,
    private readonly uploads: UploadResolver,
    private readonly reads: PublicReads,
  ) {}

  @Post()
  @CreatorRoute(Offering, {
    summary: 'Publishes an offering',
    description: `Cover and files are uploaded before. A repeat with the same \`id\` answers the offering that is there. Refused with
409 once there are ${limits.offeringsPerCreator}.`,
    status: 201,
    problems: [403, 409, 413],
    leadsTo: {
      'offerings.read': ofThis,
      'offerings.update': ofThis,
      'offerings.duplicate': ofThis,
      'offerings.rotateKey': ofThis,
      'offerings.remove': ofThis,
      'downloads.read': {
        creatorId: '$response.body#/creatorId',
        offeringId: '$response.body#/id',
        [deliveryKeyHeader]: '$response.body#/deliveryKey',
      },
    },
  })
  async create(
    @Body({ schema: NewOfferingForm }) { coverImageId, fileId, files: choices, ...form }: NewOfferingForm,
    @CurrentCaller() caller: Caller,
  ) {
    const coverImage = await this.uploads.resolve('coverImageId', coverImageId, caller);
    const { file, files } = await this.#filesOf({ fileId, choices }, caller);
    // By its id a second try at a slow service is no second offering.
    const draft = { id: randomUUID(), ...form, coverImage, file, files };
    const creating = this.bus.ask(offerings.create, draft, { caller });
    return this.reads.write([tags.offeringsOf(caller.uid)], creating);
  }

  @Get(':id')
  @CreatorRoute(Offering, {
    summary: "Reads one of the caller's offerings",
    description:
      'For its owner alone; what visitors see of it is in the list of the creator. Its `ETag` is for the `If-Match` of a change.',
    problems: [403, 404],
  })
  async read(
    @Param('id', { schema: OfferingId }) id: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return withVersionTag(reply, await this.bus.ask(offerings.readOwn, { id }, { caller }));
  }

  @Put(':id')
  @OptimisticEdit()
  @CreatorRoute(Offering, {
    summary: "Changes one of the caller's offerings",
    description:
      'The form as a whole, except that cover, files and what else is delivered stay where it does not name others. Another host in the payment link of what visitors know takes a log-in of the last ten minutes (403 `fresh_login_required` otherwise).',
    problems: [403, 404, 413],
  })
  async update(
    @Param('id', { schema: OfferingId }) id: string,
    @Body({ schema: OfferingForm }) { coverImageId, fileId, files: choices, ...form }: OfferingForm,
    @CurrentCaller() caller: Caller,
    @IfMatchVersion() editedVersion: number | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const coverImage = await this.uploads.resolve('coverImageId', coverImageId, caller);
    const { file, files } = await this.#filesOf({ fileId, choices }, caller);
    const changes = { id, ...form, coverImage, file, files, editedVersion };
    const changing = this.bus.ask(offerings.update, changes, { caller });
    return withVersionTag(reply, await this.reads.write([tags.offeringsOf(caller.uid)], changing));
  }

  @Post(':id/duplicates')
  @CreatorRoute(Offering, {
    summary: "Duplicates one of the caller's offerings as a draft",
    description: `Its public words and its cover. What buyers get belongs to those who paid for the original. Refused with 409 once there are ${limits.offeringsPerCreator}.`,
    status: 201,
    problems: [403, 404, 409, 413],
  })
  duplicate(
    @Param('id', { schema: OfferingId }) id: string,
    @Body({ schema: DuplicateForm }) { id: duplicateId }: DuplicateForm,
    @CurrentCaller() caller: Caller,
  ) {
    return this.bus.ask(offerings.duplicate, { id, duplicateId }, { caller });
  }

  @Post(':id/delivery-key')
  @CreatorRoute(Offering, {
    summary: 'Gives an offering a new delivery key',
    description: 'Links with the old key open nothing from now on.',
    problems: [403, 404],
  })
  rotateKey(@Param('id', { schema: OfferingId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.rotateKey, { id }, { caller });
  }

  @Delete(':id')
  @CreatorRoute(null, {
    summary: "Removes one of the caller's offerings",
    description: 'Its cover and files go with it.',
    status: 204,
    problems: [403, 404],
  })
  async remove(@Param('id', { schema: OfferingId }) id: string, @CurrentCaller() caller: Caller) {
    await this.reads.write(
      [tags.offeringsOf(caller.uid)],
      this.bus.ask(offerings.remove, { id }, { caller }),
    );
  }

  /** A service of the release before several files takes the first, as it would from its own gateway. */
  async #filesOf(
    { fileId, choices }: { fileId: string | null | undefined; choices: FileChoice[] | undefined },
    caller: Caller,
  ) {
    const files = await this.uploads.resolveFiles(choices, caller);
    const file = files ? (files[0]?.file ?? null) : await this.uploads.resolve('fileId', fileId, caller);
    return { file, files };
  }
}
