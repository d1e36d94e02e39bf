import {
  type Caller,
  Id,
  media,
  Picture,
  PicturePreview,
  StoredFile,
  UploadGrant,
  UploadRequest,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

const UploadId = Id.describe('The `id` of the upload grant.');
const PictureId = Id.describe('The `id` of a picture.');
const ofThis = { id: '$response.body#/id' };

@Controller('api/uploads')
export class UploadsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(UploadGrant, {
    summary: 'Grants an upload',
    description: `The caller then posts the file once to \`url\` as a multipart form, and completes the upload here. Refused with 429 for
too many unfinished uploads, and with 409 \`limit_reached\` when the account has no storage left for it.`,
    status: 201,
    problems: [409],
    leadsTo: { 'uploads.complete': ofThis, 'uploads.completeFile': ofThis },
  })
  grant(@Body({ schema: UploadRequest }) request: UploadRequest, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.grant, request, { caller });
  }

  @Get(':id/preview')
  @CreatorRoute(PicturePreview, {
    summary: 'Shows a picture that may be hidden',
    description:
      'Pictures of hidden pages are refused at their public addresses. The owner sees them here, and operators do while the page is hidden.',
    problems: [404],
  })
  preview(@Param('id', { schema: PictureId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.previewPicture, { id }, { caller });
  }

  @Delete(':id')
  @CreatorRoute(null, {
    summary: 'Cancels an unfinished upload',
    description:
      'Removes the posted file. Its storage is available again once the form has expired. Has no effect on a completed upload.',
    status: 204,
    problems: [404],
  })
  async abandon(
    @Param('id', { schema: UploadId }) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.bus.ask(media.abandon, { id }, { caller });
  }

  @Post(':id/complete')
  @CreatorRoute(Picture, {
    summary: 'Completes the upload of a picture',
    description:
      'Checks and re-encodes the posted picture. A slow check gets 504 and continues. A repeat returns its result, always the same picture.',
    problems: [404, 413, 422],
  })
  complete(@Param('id', { schema: UploadId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.complete, { id, kind: 'picture' }, { caller });
  }

  // Pictures and files have separate routes, because latency objectives apply per route. Copying 200 MB takes longer than
  // checking a picture.
  @Post(':id/complete-file')
  @CreatorRoute(StoredFile, {
    summary: "Completes the upload of an offering's file",
    description:
      'Checks and stores the posted file. A slow check gets 504 and continues. A repeat returns its result, always the same file.',
    problems: [404, 413],
  })
  completeFile(@Param('id', { schema: UploadId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.complete, { id, kind: 'file' }, { caller });
  }
}
