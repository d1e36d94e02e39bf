import {
  type Caller,
  deliveryKeyHeader,
  DuplicateForm,
  Id,
  limits,
  NewOfferingForm,
  Offering,
  OfferingForm,
  offerings,
} from '@stoa/contracts';
import { Bus, idempotencyKey, idFromKey } from '@stoa/messaging';
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
    description: `Upload cover and files first. A repeat with the same \`id\` returns the existing offering. Refused with 409 above
${limits.offeringsPerCreator} offerings.`,
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
    @Body({ schema: NewOfferingForm }) { coverImageId, files: choices, ...form }: NewOfferingForm,
    @CurrentCaller() caller: Caller,
  ) {
    const coverImage = await this.uploads.resolve('coverImageId', coverImageId, caller);
    const files = await this.uploads.resolveFiles(choices, caller);
    // The id is derived from the idempotency key, so that a repeated request creates the same offering.
    const key = idempotencyKey();
    const id = key === undefined ? randomUUID() : idFromKey(caller.uid, key);
    const draft = { id, ...form, coverImage, files };
    const creating = this.bus.ask(offerings.create, draft, { caller });
    return this.reads.write([tags.offeringsOf(caller.uid)], creating);
  }

  @Get(':id')
  @CreatorRoute(Offering, {
    summary: "Reads one of the caller's offerings",
    description:
      'Only for its owner. The list of the creator shows its public fields. Send its `ETag` as `If-Match` of a change.',
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
      'Replaces the whole form. Omitted covers, files and other delivered content are kept. For an offering that visitors know, a payment link to another host requires a log-in of the last ten minutes (403 `fresh_login_required` otherwise).',
    problems: [403, 404, 413],
  })
  async update(
    @Param('id', { schema: OfferingId }) id: string,
    @Body({ schema: OfferingForm }) { coverImageId, files: choices, ...form }: OfferingForm,
    @CurrentCaller() caller: Caller,
    @IfMatchVersion() editedVersion: number | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const coverImage = await this.uploads.resolve('coverImageId', coverImageId, caller);
    const files = await this.uploads.resolveFiles(choices, caller);
    const changes = { id, ...form, coverImage, files, editedVersion };
    const changing = this.bus.ask(offerings.update, changes, { caller });
    return withVersionTag(reply, await this.reads.write([tags.offeringsOf(caller.uid)], changing));
  }

  @Post(':id/duplicates')
  @CreatorRoute(Offering, {
    summary: "Duplicates one of the caller's offerings as a draft",
    description: `Copies its public texts and its cover, but not the delivered content. Refused with 409 above ${limits.offeringsPerCreator} offerings.`,
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
    summary: 'Replaces the delivery key of an offering',
    description: 'Links with the old key stop working.',
    problems: [403, 404],
  })
  rotateKey(@Param('id', { schema: OfferingId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.rotateKey, { id }, { caller });
  }

  @Delete(':id')
  @CreatorRoute(null, {
    summary: "Removes one of the caller's offerings",
    description: 'Also removes its cover and files.',
    status: 204,
    problems: [403, 404],
  })
  async remove(@Param('id', { schema: OfferingId }) id: string, @CurrentCaller() caller: Caller) {
    await this.reads.write(
      [tags.offeringsOf(caller.uid)],
      this.bus.ask(offerings.remove, { id }, { caller }),
    );
  }
}
