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

const UploadId = Id.describe('The `id` of the permission.');
const PictureId = Id.describe('The `id` of a picture.');
const ofThis = { id: '$response.body#/id' };

@Controller('api/uploads')
export class UploadsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(UploadGrant, {
    summary: 'Permits an upload',
    description: `The caller then posts the file to \`url\` as a multipart form, once, and completes the upload here. Refused with 429 while
too many are unfinished, and with 409 \`limit_reached\` where the account has no room for it.`,
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
      'Pictures of hidden pages are refused at their public addresses. Their owner sees them here, and so does an operator while they are hidden.',
    problems: [404],
  })
  preview(@Param('id', { schema: PictureId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.previewPicture, { id }, { caller });
  }

  @Delete(':id')
  @CreatorRoute(null, {
    summary: 'Gives up an upload that is not completed',
    description: 'Its room is free again. Nothing changes for an upload that is completed.',
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
      'Checks and re-encodes what was posted. A check that outlives the call is a 504 and goes on: asked again, this answers how it ended. A repeat answers the same picture.',
    problems: [404, 413, 422],
  })
  complete(@Param('id', { schema: UploadId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.complete, { id, kind: 'picture' }, { caller });
  }

  // Media has one `complete`; its routes are two since objectives count by route, and to move 200 MB has another than to check a
  // picture. One route would also need both of these for as long as open tabs have an older release's web app.
  @Post(':id/complete-file')
  @CreatorRoute(StoredFile, {
    summary: "Completes the upload of an offering's file",
    description:
      'Checks what was posted and keeps it. A check that outlives the call is a 504 and goes on: asked again, this answers how it ended. A repeat answers the same file.',
    problems: [404, 413],
  })
  completeFile(@Param('id', { schema: UploadId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.complete, { id, kind: 'file' }, { caller });
  }
}
